import { afterEach, expect, test, vi } from 'vitest'
import { removeNote, saveNote } from '../../../src/demo/worker/notes.js'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['no navigator.storage', {}],
  ['no private file system', { storage: {} }]
])(
  'E5 in a browser with %s a note to delete is not there, and to save one is refused with the reason',
  async (_, navigator) => {
    vi.stubGlobal('navigator', navigator)
    expect(await removeNote('a.txt')).toBe(false)
    await expect(saveNote('a.txt', 'text')).rejects.toThrow('This browser has no private file system here')
  }
)
