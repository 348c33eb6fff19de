/** For any interleaving of turns, ends, failures, crashes and late answers of several processes: exactly one finished review reads each acknowledged turn. */

import { manualClock } from '@hermes/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { sessionPath } from '../../src/session/session-record.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import { type ReviewNote, timesRead } from '../support/observed-reviews.ts'
import { homeProcess, NO_PROPOSALS } from './home-process.ts'

const PROCESSES = 3
const MINUTE = 60_000

const process = fc.nat(PROCESSES - 1)
const session = fc.constantFrom('a', 'b', 'c')

const aStep = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('says'), process, session }) },
  /** All processes take a turn concurrently, in one session or each in its own. */
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('all-say'), sessions: fc.tuple(session, session, session) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ends'), process, session }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('asks'), process }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('waits'), minutes: fc.constantFrom(0.1, 1.1, 31, 120) }) },
  /** The process dies and another one replaces it. `atWrite` 0: at once. */
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('dies'), process, atWrite: fc.nat(12), isWritten: fc.boolean() }) },
)

/** The fate of a model call. `late`: another process has read all turns when the answer arrives. `overtaken`: another process is reading them then. */
const aFate = fc.constantFrom('answers', 'answers', 'answers', 'fails', 'dies', 'late', 'overtaken')

it('reads each turn once', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 6 }),
      fc.array(aStep, { minLength: 10, maxLength: 40 }),
      fc.array(aFate, { minLength: 1, maxLength: 10 }),
      async (memoryInterval, steps, fates) => {
        const storage = inMemoryBackend()
        const clock = manualClock()
        const notes: ReviewNote[] = []
        const nudge = { memoryInterval, skillInterval: 0, minTurns: 2 }
        let calls = 0
        let overtaking: Promise<unknown> = Promise.resolve()
        const start = (death?: { readonly atWrite: number; readonly isWritten: boolean }) => {
          const started = homeProcess(storage, {
            notes,
            clock,
            nudge,
            ...(death ? { death } : {}),
            answer: async () => {
              const fate = fates[calls++ % fates.length]
              if (fate === 'fails') throw new Error('the model is away')
              if (fate === 'dies') started.die()
              if (fate === 'late') {
                clock.advance(2 * MINUTE)
                await homeProcess(storage, { notes, clock, nudge }).hermes.review({ minTurns: 1 })
              }
              if (fate === 'overtaken') {
                clock.advance(2 * MINUTE)
                let reads = () => {}
                const isReading = new Promise<void>((resolve) => {
                  reads = resolve
                })
                const other = homeProcess(storage, {
                  notes,
                  clock,
                  nudge,
                  answer: async () => {
                    reads()
                    await started.settled()
                    return NO_PROPOSALS
                  },
                })
                overtaking = other.hermes.review({ minTurns: 1 }).finally(reads)
                await isReading
              }
              return NO_PROPOSALS
            },
          })
          return started
        }
        const processes = Array.from({ length: PROCESSES }, () => start())
        const at = (index: number) => {
          const known = processes[index]
          if (known && !known.isDead()) return known
          const next = start()
          processes[index] = next
          return next
        }
        const said: { readonly text: string; readonly isAcknowledged: boolean }[] = []
        const says = async (index: number, id: string) => {
          const text = `turn ${said.length};`
          const place = said.push({ text, isAcknowledged: false }) - 1
          said[place] = { text, isAcknowledged: await at(index).says(id, text) }
        }
        for (const step of steps) {
          if (step.kind === 'says') await says(step.process, step.session)
          if (step.kind === 'all-say') await Promise.all(step.sessions.map((id, index) => says(index, id)))
          if (step.kind === 'waits') clock.advance(step.minutes * MINUTE)
          if (step.kind === 'ends') await Promise.race([at(step.process).hermes.session(step.session).end(), at(step.process).died])
          if (step.kind === 'asks') await Promise.race([at(step.process).hermes.review(), at(step.process).died])
          if (step.kind === 'dies') {
            at(step.process).die()
            processes[step.process] = start(step.atWrite === 0 ? undefined : step)
          }
          await overtaking
        }
        clock.advance(2 * MINUTE)
        const last = homeProcess(storage, { notes, clock, nudge })
        await last.hermes.review({ minTurns: 1 })
        expect(await last.hermes.review({ minTurns: 1 })).toEqual({ ok: true, value: { kind: 'nothing-due', unreadTurns: 0 } })
        const times = timesRead(
          notes,
          said.map(({ text }) => text),
        )
        const expected = said.map(({ isAcknowledged }, index) => (isAcknowledged ? 1 : Math.min(1, times[index] ?? 0)))
        expect(times).toEqual(expected)
        // The next review removes text that a dead process has left.
        await last.says('a', 'the end')
        await last.hermes.review({ minTurns: 1 })
        for (const id of ['a', 'b', 'c']) {
          const record = await readDocument(storage, sessionPath(id))
          expect(record.ok && record.value ? new TextDecoder().decode(record.value.bytes) : '').not.toContain('turn ')
        }
      },
    ),
    { numRuns: rounds(100), seed: 12 },
  )
})
