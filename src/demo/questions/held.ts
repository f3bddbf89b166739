// Which questions this tab held, so that it takes them up again after a reload, wherever they went meanwhile.

const key = 'intab-board:held'

export const keepHeld = (ids: readonly string[]): void => sessionStorage.setItem(key, JSON.stringify(ids))

/** The ids of before the reload, once. */
export function heldBefore(): string[] {
  return JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[]
}
