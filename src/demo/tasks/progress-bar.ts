import type { TaskInfo } from 'intab'
import { h } from '../dom.js'

/** A bar that is there while there is progress to show; one without a total only moves. */
export function progressBar(): { element: HTMLElement; show(progress: TaskInfo['progress'], label: string): void } {
  const element = h('progress', { hidden: true })
  return {
    element,
    show(progress, label) {
      element.hidden = progress === undefined
      if (progress === undefined) return
      element.setAttribute('aria-label', `Progress of ${label}`)
      if (progress.total === undefined) element.removeAttribute('value')
      else {
        element.max = Math.max(progress.total, 1)
        element.value = progress.progress
      }
    }
  }
}
