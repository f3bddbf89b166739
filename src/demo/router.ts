// The page's places: `#/` and `#/task/<id>`. A link to a task is good for as long as the task is kept.

export const linkTo = (taskId: string): string => `#/task/${encodeURIComponent(taskId)}`

/** The task that the address names; undefined for the list. */
export function taskInAddress(hash = location.hash): string | undefined {
  const encoded = /^#\/task\/([\w-]+)$/.exec(hash)?.[1]
  return encoded
}
