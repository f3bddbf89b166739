import { showError } from './alerts.js'
import { h } from './dom.js'

/** A button that rests while its act is under way, and shows why it failed. */
export function button(label: string, act: () => unknown, attributes: Record<string, string> = {}): HTMLButtonElement {
  const element = h('button', { type: 'button', ...attributes }, label)
  const run = async (): Promise<void> => {
    element.disabled = true
    const focused = document.activeElement === element
    try {
      await act()
    } catch (error) {
      showError(error)
    } finally {
      element.disabled = false
      if (focused && document.activeElement === document.body) element.focus()
    }
  }
  element.addEventListener('click', () => {
    run().catch(showError)
  })
  return element
}

/** A button that puts a text on the clipboard, and says so for a moment. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const element = button(
    label,
    async () => {
      await navigator.clipboard.writeText(text())
      element.textContent = 'Copied'
      setTimeout(() => (element.textContent = label), 1500)
    },
    { class: 'quiet' }
  )
  return element
}
