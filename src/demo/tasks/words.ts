import type { TaskInfo } from 'intab'

export type Status = TaskInfo['status']

export const words: Record<Status, string> = {
  working: 'working',
  input_required: 'needs an answer',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled'
}

export const isFinal = ({ status }: TaskInfo): boolean => status !== 'working' && status !== 'input_required'

const titles = new Map<string, string>()

/** Learns what people call a tool. */
export const learnTitle = (name: string, title: string): unknown => titles.set(name, title)

/** What to call a task: its tool, which only intab tells. */
export const nameOf = ({ tool }: TaskInfo): string => (tool === undefined ? 'Task' : (titles.get(tool) ?? tool))

/** When a task is deleted, or fails if it still runs; undefined for never. */
export function endOfLife({ createdAt, lastUpdatedAt, ttl, status }: TaskInfo): number | undefined {
  if (ttl === null) return undefined
  return Date.parse(isFinal({ status } as TaskInfo) ? lastUpdatedAt : createdAt) + ttl
}
