import { describe, expect, test } from 'vitest'
import type { Job, Note, Sign } from '../e2e/soak/facts.js'
import { type Known, Oracle, type Verdict } from '../e2e/soak/oracle.js'
import { cuts } from '../e2e/soak/sabotage.js'
import { readFileSync } from 'node:fs'

const job: Job = { label: 'x', acts: ['step', 'ask'] }

/** A round in which all is well: one step, one question, asked in tab t. */
const notes: Note[] = [
  { label: 'x', attempt: 1, what: 'run', at: -1, token: '' },
  { label: 'x', attempt: 1, what: 'begin', at: 0, token: 's' },
  { label: 'x', attempt: 1, what: 'kept', at: 0, token: 's' },
  { label: 'x', attempt: 1, what: 'answer', at: 1, token: 't/1' }
]
const signs: Sign[] = [
  { what: 'asked', label: 'x', at: 1, token: 't/1', time: 1 },
  { what: 'given', label: 'x', at: 1, token: 't/1', time: 2 },
  { what: 'acknowledged', label: 'x', at: 1, token: 't/1', time: 3 }
]
const done = { status: 'completed', text: JSON.stringify(['s', 't/1']) }

interface Told {
  known?: Partial<Known>
  notes?: Note[]
  signs?: Sign[]
  tool?: string
  deaths?: number
}

function judge(told: Told): Verdict {
  const oracle = new Oracle()
  oracle.deaths = told.deaths ?? 0
  Object.assign(oracle.begin(told.tool ?? 'durable', job), { acknowledged: true, endings: [done] }, told.known)
  for (const sign of told.signs ?? signs) oracle.saw(sign)
  return oracle.judge(told.notes ?? notes)
}

const again = (what: Note['what'], at: number, token: string, attempt = 2): Note => ({
  label: 'x',
  attempt,
  what,
  at,
  token
})
const stopped = { status: 'failed', text: 'The worker that ran this task stopped before it finished' }
const cancelled = { status: 'cancelled', text: 'Task was cancelled' }

describe('the oracle of the soak', () => {
  const fine: [string, Told][] = [
    ['a task that came to its end', {}],
    ['a call that was never acknowledged', { known: { acknowledged: false, endings: [] }, notes: [] }],
    ['a fragile task whose worker died', { tool: 'fragile', deaths: 1, known: { endings: [stopped] } }],
    [
      'a cancelled task, whether the cancel was acknowledged or its tab went',
      { known: { cancelAsked: true, endings: [cancelled] } }
    ],
    ['a cancel that came too late', { known: { cancelAsked: true, cancelled: -32602 } }],
    [
      'a step that was not kept, and runs again in the next run',
      {
        notes: [
          ...notes.slice(0, 2),
          again('run', -1, ''),
          again('begin', 0, 'u'),
          again('kept', 0, 'u'),
          again('answer', 1, 't/1')
        ],
        known: { endings: [{ status: 'completed', text: JSON.stringify(['u', 't/1']) }] }
      }
    ],
    [
      'an answer that lost the race against the first',
      {
        signs: [
          ...signs,
          { ...signs[1], token: 'r/1', time: 2.5 } as Sign,
          { ...signs[2], token: 'r/1', time: 4 } as Sign
        ]
      }
    ]
  ]
  test.each(fine)('is content with %s', (_, told) => {
    expect(judge(told)).toEqual({ lost: [], repeated: [] })
  })

  const losses: [string, Told, RegExp][] = [
    ['a start that is refused', { known: { acknowledged: false, errors: ['no'] } }, /could not be started: no/],
    ['a wait that is refused', { known: { errors: ['-32602'] } }, /a tab was refused: -32602/],
    ['two outcomes', { known: { endings: [done, cancelled], cancelAsked: true } }, /two tabs got two outcomes/],
    [
      'a cancel that did nothing',
      { known: { cancelAsked: true, cancelled: 'cancelled' } },
      /cancelled, and yet completed/
    ],
    ['a cancel by nobody', { known: { endings: [cancelled] } }, /nobody did it/],
    [
      'a cancel that was refused and done',
      { known: { cancelAsked: true, cancelled: -32602, endings: [cancelled] } },
      /nobody did it/
    ],
    ['a durable task that failed', { deaths: 1, known: { endings: [stopped] } }, /failed: The worker/],
    ['a fragile task that failed though no worker died', { tool: 'fragile', known: { endings: [stopped] } }, /failed/],
    ['a result with another value', { known: { endings: [{ ...done, text: '["s","r/1"]' }] } }, /should be/]
  ]
  test.each(losses)('calls lost: %s', (_, told, says) => {
    expect(judge(told).lost.join()).toMatch(says)
  })

  const repeats: [string, Told, RegExp][] = [
    ['a kept step that runs again', { notes: [...notes, again('begin', 0, 'u')] }, /kept in run 1 and ran again in 2/],
    ['a step that runs twice in one run', { notes: [...notes, again('begin', 0, 's', 1)] }, /ran twice in run 1/],
    ['a step with two values', { notes: [...notes, again('kept', 0, 'u')] }, /two values/],
    ['a question with two answers', { notes: [...notes, again('answer', 1, 'r/1')] }, /two answers/],
    ['a run that goes on beside its successor', { notes: [again('run', -1, ''), ...notes] }, /run 1 went on/],
    ['a run that begins twice', { notes: [...notes.slice(0, 1), ...notes] }, /began twice/],
    [
      'an answer after another was acknowledged',
      { signs: [...signs.slice(0, 2), { ...signs[2], token: 'r/1', time: 1.5 } as Sign] },
      /after the answer r\/1 had been acknowledged/
    ]
  ]
  test.each(repeats)('calls repeated: %s', (_, told, says) => {
    expect(judge(told).repeated.join()).toMatch(says)
  })
})

test.each(Object.entries(cuts))('the sabotage of %s finds the text that it cuts out, once', (_, { file, from }) => {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  expect(source.split(from)).toHaveLength(2)
})
