/** Whatever part of the conversation the host passes, in any process and at any speed: exactly one memory review reads each turn. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { sessionPath } from '../../src/session/session-record.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import { assistant, openHome, user } from './open-home.ts'
import { recordingModel } from './recording-model.ts'

const aTurn = fc.record({
  process: fc.nat(2),
  /** Number of turns in the prompt, including the newest. */
  window: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 1, max: 6 })),
  summary: fc.boolean(),
  /** Model steps with tools before the answer. */
  steps: fc.nat(2),
  /** The user aborts the answer before this turn and says something else. */
  abortedBefore: fc.boolean(),
  /** The background work of the turn ends before the next turn. */
  pause: fc.boolean(),
})

const occurrences = (text: string, part: string): number => text.split(part).length - 1

it('is in one review, or still unread', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(aTurn, { minLength: 1, maxLength: 16 }), async (memoryInterval, turns) => {
      const storage = inMemoryBackend()
      const model = recordingModel()
      const homes = [0, 1, 2].map(() => openHome(storage, { nudge: { memoryInterval, skillInterval: 0 } }).hermes)
      const settle = () => Promise.all(homes.map((hermes) => hermes.settled()))
      const history: (readonly TurnMessage[])[] = []
      for (const [at, { process, window, summary, steps, abortedBefore, pause }] of turns.entries()) {
        const session = homes[process]?.session('one')
        const shown = window === Number.POSITIVE_INFINITY ? history : history.slice(history.length + 1 - window)
        const before: readonly TurnMessage[] = [
          ...(summary && shown.length < history.length ? [user('Summary: they talked.'), assistant('I see.')] : []),
          ...shown.flat(),
        ]
        if (abortedBefore) session?.beginStep([...before, user(`never mind ${at}`)])
        let prompt = [...before, user(`said ${at}.`)]
        for (let step = 0; step < steps; step++) {
          session?.beginStep(prompt)
          const call: TurnMessage = { role: 'assistant', text: '', toolNames: ['look'] }
          session?.endStep({ prompt, turnFinished: false, calledTools: true, reply: [call] })
          prompt = [...prompt, call, { role: 'tool', text: `found ${step}`, toolNames: ['look'] }]
        }
        session?.beginStep(prompt)
        const reply = [assistant(`answer ${at}.`)]
        session?.endStep({ prompt, turnFinished: true, calledTools: false, reply, model })
        history.push([...prompt.slice(before.length), ...reply])
        // A process continues a session only after its first turn has ended.
        if (pause || at === 0) await settle()
      }
      await settle()
      const record = await readDocument(storage, sessionPath('one'))
      // The own-words pass reads them as well, without what follows external text.
      const read = model.read.filter((text) => !text.includes('] (left out)')).join('\n')
      const unread = record.ok && record.value ? new TextDecoder().decode(record.value.bytes) : ''
      const times = turns.map(
        (_, at) => [
          occurrences(read, `| origin: user] said ${at}.`) + occurrences(unread, `"text": "said ${at}."`),
          occurrences(read, `] answer ${at}.`) + occurrences(unread, `"text": "answer ${at}."`),
        ],
        { seed: 7 },
      )
      expect(times).toEqual(turns.map(() => [1, 1]))
      expect(unread).toContain(`"userTurns": ${turns.length},`)
      expect(occurrences(unread, '"text": "said ')).toBeLessThan(memoryInterval + turns.filter(({ pause }) => !pause).length + 1)
    }),
    { numRuns: rounds(150), seed: 13 },
  )
})
