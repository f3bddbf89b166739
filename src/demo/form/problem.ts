// What is wrong with a control, said beside it: https://www.w3.org/WAI/tutorials/forms/notifications/#inline

import { h, setText, uniqueId } from '../dom.js'

export interface Problem {
  element: HTMLElement
  /** Marks the control and says why; undefined takes both away. */
  show(text: string | undefined): void
}

/** A place for what is wrong with these controls, to put below them. */
export function problemBeside(...controls: HTMLElement[]): Problem {
  const element = h('small', { id: uniqueId('problem'), class: 'problem', hidden: true })
  for (const control of controls) {
    const others = control.getAttribute('aria-describedby')
    control.setAttribute('aria-describedby', others === null ? element.id : `${others} ${element.id}`)
  }
  return {
    element,
    show(text) {
      element.hidden = text === undefined
      setText(element, text ?? '')
      for (const control of controls) {
        if (text === undefined) control.removeAttribute('aria-invalid')
        else control.setAttribute('aria-invalid', 'true')
      }
    }
  }
}
