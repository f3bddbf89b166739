// A text that may be typed, or dropped or chosen as a file; a long one is not put on the screen.

import { showError } from '../alerts.js'
import { h, setText, uniqueId } from '../dom.js'
import { bytes } from '../format.js'
import { type Control, hintFor, labelOf } from './control.js'
import { problemBeside } from './problem.js'
import type { Field } from './schema-fields.js'

/** The control of such a field. */
export function fileText(field: Field & { kind: 'file-text' }): Control {
  const id = uniqueId('field')
  const area = h('textarea', { id, name: field.name, rows: 3, spellcheck: 'false' }, field.initial ?? '')
  const hint = hintFor(field, area)
  const picker = h('input', {
    id: uniqueId('file'),
    type: 'file',
    accept: `${field.type},.${field.type.split('/')[1]?.replace('plain', 'txt') ?? ''}`,
    'aria-label': `A file for ${field.label}`
  })
  const name = h('span')
  const drop = h('button', { type: 'button', class: 'quiet', 'aria-label': 'Take the file away' }, '×')
  const chosen = h('p', { class: 'file', hidden: true }, name, drop)
  const problem = problemBeside(area)
  const element = h(
    'div',
    { class: 'field file-text' },
    labelOf(field, id),
    area,
    chosen,
    picker,
    ...hint,
    problem.element
  )
  let text: string | undefined

  const show = (file: { name: string; size: number } | undefined): void => {
    area.hidden = file !== undefined
    chosen.hidden = file === undefined
    setText(name, file === undefined ? '' : `${file.name} · ${bytes(file.size)}`)
  }
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    text = await file.text()
    show(file)
  }
  picker.addEventListener('change', () => {
    take(picker.files?.[0]).catch(showError)
  })
  drop.addEventListener('click', () => {
    text = undefined
    picker.value = ''
    show(undefined)
    area.focus()
  })
  element.addEventListener('dragover', (event) => {
    event.preventDefault()
    element.classList.add('over')
  })
  element.addEventListener('dragleave', () => element.classList.remove('over'))
  element.addEventListener('drop', (event) => {
    event.preventDefault()
    element.classList.remove('over')
    take(event.dataTransfer?.files[0]).catch(showError)
  })

  const read = (): string | undefined => text ?? (area.value === '' ? undefined : area.value)
  const check = (): boolean => {
    const isMissing = field.required && read() === undefined
    problem.show(isMissing ? 'Write something, or choose a file' : undefined)
    return !isMissing
  }
  return { element, focus: area, check, say: problem.show, read }
}
