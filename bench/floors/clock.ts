/** Milliseconds, the same in a page and its workers. */
export const now = (): number => performance.timeOrigin + performance.now()
