import type { TaskStatusNotificationParams } from '@modelcontextprotocol/sdk/types.js'
import type { TaskInfo } from 'intab'

/** A task as a notification tells it, in the form of `listTasks`. */
export function taskOf({ _meta: meta = {}, ...task }: TaskStatusNotificationParams): TaskInfo {
  const { 'intab/tool': tool, 'intab/revision': revision } = meta as Record<string, unknown>
  return {
    ...task,
    ...(typeof tool === 'string' && { tool }),
    ...(typeof revision === 'number' && { revision })
  }
}
