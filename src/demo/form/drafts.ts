// What a person has typed into a question, kept until it is settled: over a reload, and into the tab that takes it over.

const prefix = 'intab-board:draft:'

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const inputsOf = (form: HTMLElement): Input[] => [
  ...form.querySelectorAll<Input>('input:not([type="file"]), select, textarea')
]

const isTick = (input: Input): input is HTMLInputElement =>
  input instanceof HTMLInputElement && (input.type === 'checkbox' || input.type === 'radio')

/** Fills the form with its draft, if there is one, and keeps what is typed from now on. */
export function keepDraft(form: HTMLElement, id: string): void {
  const draft = JSON.parse(localStorage.getItem(prefix + id) ?? '[]') as (string | boolean)[]
  for (const [i, input] of inputsOf(form).entries()) {
    const value = draft[i]
    if (typeof value === 'boolean' && isTick(input)) input.checked = value
    else if (typeof value === 'string') input.value = value
  }
  const save = (): void => {
    const values = inputsOf(form).map((input) => (isTick(input) ? input.checked : input.value))
    localStorage.setItem(prefix + id, JSON.stringify(values))
  }
  form.addEventListener('input', save)
}

/** Forgets the drafts of all questions but these. */
export function dropDrafts(open: readonly string[]): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  for (const key of keys) if (!open.includes(key.slice(prefix.length))) localStorage.removeItem(key)
}
