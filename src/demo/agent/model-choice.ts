// Which model the agent uses: one that is here, or one that the person loads.

import { showError } from '../alerts.js'
import { button } from '../button.js'
import { h, setText } from '../dom.js'
import { hasModel } from '../questions/language-model.js'
import { browserModel } from './browser-model.js'
import { guide } from './guide.js'
import type { Model } from './model.js'
import type { loadModel } from './transformers-model.js'

type Loaded = Awaited<ReturnType<typeof loadModel>>

export class ModelChoice {
  readonly #select = h('select', { 'aria-label': 'Model' })
  readonly #name = h('input', {
    type: 'text',
    'aria-label': 'Model to load',
    value: 'onnx-community/Qwen2.5-0.5B-Instruct',
    required: true
  })
  readonly #load = h('button', { type: 'submit', class: 'small' }, 'Load')
  readonly #progress = h('progress', { 'aria-label': 'Loading the model', hidden: true })
  readonly #note = h('p', { class: 'hint', role: 'status' })
  readonly #form = h(
    'form',
    { class: 'agent-form', hidden: true },
    this.#name,
    this.#load,
    this.#progress,
    h(
      'p',
      { class: 'hint' },
      'A name on huggingface.co, or a path of this site that begins with “/”. Hundreds of megabytes may come; what you say stays in this browser.'
    ),
    this.#note
  )
  readonly #more = button('Load a model', () => void (this.#form.hidden = !this.#form.hidden), { class: 'small' })
  readonly elements = [this.#select, this.#more, this.#form]
  #models: Model[] = [guide]
  #loaded: Loaded | undefined

  constructor() {
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#loadNamed().catch(showError)
    })
    this.#show(guide)
  }

  get model(): Model {
    return this.#models[this.#select.selectedIndex] ?? guide
  }

  async open(): Promise<void> {
    if (!(await hasModel())) return
    this.#models.unshift(browserModel)
    this.#show(browserModel)
  }

  async #loadNamed(): Promise<void> {
    const name = this.#name.value.trim()
    this.#load.disabled = true
    this.#progress.hidden = false
    this.#progress.removeAttribute('value')
    setText(this.#note, `Loading ${name}`)
    try {
      const transformers = await import('./transformers-model.js')
      const loaded = await transformers.loadModel(name, (now, total) => {
        this.#progress.max = total
        this.#progress.value = now
      })
      this.#loaded?.end()
      this.#models = [...this.#models.filter((model) => model !== this.#loaded), loaded]
      this.#loaded = loaded
      this.#show(loaded)
      this.#form.hidden = true
      setText(this.#note, '')
    } catch (error) {
      setText(this.#note, `${name} was not loaded: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      this.#load.disabled = false
      this.#progress.hidden = true
    }
  }

  #show(chosen: Model): void {
    this.#select.replaceChildren(
      ...this.#models.map((model) => h('option', { selected: model === chosen }, model.label))
    )
  }
}
