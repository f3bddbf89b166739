// Keys of one run: they let a run that was interrupted find its steps and questions again.

import { IntabError } from '../errors.js'

export class Keys {
  readonly #resumes: boolean
  readonly #used = new Set<string>()
  readonly #counts = new Map<string, number>()
  #open = 0

  constructor(resumes: boolean) {
    this.#resumes = resumes
  }

  /**
   * Runs `act` under a key: the given name, or the kind and its order. Rejects with `duplicate_step` when the name
   * was used before, with `key_required` when an unnamed one opens while another is open in a tool that resumes,
   * since their order may flip in the next run.
   */
  async under<T>(kind: string, name: string | undefined, act: (key: string) => Promise<T>): Promise<T> {
    const key = name === undefined ? this.#numbered(kind) : `${kind}:${name}`
    if (this.#used.has(key)) {
      throw new IntabError('duplicate_step', `${kind} '${name}' was used before in this run: give each its own name`)
    }
    this.#used.add(key)
    this.#open++
    try {
      return await act(key)
    } catch (error) {
      this.#used.delete(key)
      throw error
    } finally {
      this.#open--
    }
  }

  /** The next one of its kind by order, in a tool that resumes; others never look for it again. */
  next(kind: string): string | undefined {
    return this.#resumes ? this.#count(kind) : undefined
  }

  #numbered(kind: string): string {
    if (this.#resumes && this.#open > 0) {
      throw new IntabError(
        'key_required',
        `${kind} was called while another step or question is open: give it a key, so that a resumed run can tell them apart`
      )
    }
    return this.#count(kind)
  }

  #count(kind: string): string {
    const n = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, n)
    return `${kind}#${n}`
  }
}
