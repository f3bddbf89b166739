// Which tasks this tab started: after a reload it goes on waiting for those, and leaves those of other tabs to them.

const key = 'intab-demo:tasks'

const read = (): string[] => JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[]

export function remember(taskId: string): void {
  sessionStorage.setItem(key, JSON.stringify([...read(), taskId]))
}

export const isOwn = (taskId: string): boolean => read().includes(taskId)
