// Which of several tabs gets a call: the visible one that had the focus last, as their documents tell.

import { afterEach, expect, test, vi } from 'vitest'
import { agentTools } from '../../src/index.js'
import { lendTools } from '../../src/lend.js'
import { text } from '../support/tools.js'
import { type Tab, World } from '../support/world.js'

afterEach(() => void vi.unstubAllGlobals())

/** What lendTools asks of a document. */
class Page extends EventTarget {
  readonly defaultView = new EventTarget()
  visibilityState: 'visible' | 'hidden' = 'visible'
  focused = false
  readonly title: string
  constructor(title: string) {
    super()
    this.title = title
  }
  hasFocus(): boolean {
    return this.focused
  }
  /** The user comes to this page from another one. */
  focus(): void {
    this.focused = true
    this.defaultView.dispatchEvent(new Event('focus'))
    this.focused = false
  }
  show(visibilityState: 'visible' | 'hidden'): void {
    this.visibilityState = visibilityState
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

async function lendFrom(tab: Tab, title: string): Promise<Page> {
  const page = new Page(title)
  vi.stubGlobal('document', page)
  await lendTools(tab.client, [{ name: 'where', run: () => text(title) }])
  return page
}

test('a call goes to the visible tab that had the focus last, and to a hidden one when none is visible', async () => {
  vi.spyOn(Date, 'now').mockImplementation(
    (
      (now = 1000) =>
      () =>
        now++
    )()
  )
  const world = new World()
  const tabs = [await world.tab(), await world.tab(), await world.tab()] as const
  const [one, two] = [await lendFrom(tabs[0], 'one'), await lendFrom(tabs[1], 'two')]
  const { call } = agentTools(tabs[2].client)
  const gets = (title: string) => expect.poll(() => call('where')).toMatchObject(text(title))
  two.focus()
  await gets('two')
  one.focus()
  await gets('one')
  one.show('hidden')
  await gets('two')
  two.show('hidden')
  await gets('one')
})
