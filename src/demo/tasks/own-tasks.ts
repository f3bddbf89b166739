// Which tasks this tab started: after a reload it goes on waiting for those, and leaves those of other tabs to them.

const key = 'intab-board:tasks'

/** More than a tab starts in a sitting; beyond it the oldest are long over. */
const most = 100

const read = (): string[] => JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[]

export function remember(taskId: string): void {
  sessionStorage.setItem(key, JSON.stringify([...read(), taskId].slice(-most)))
}

export const ownTasks = (): readonly string[] => read()
