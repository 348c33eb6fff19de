/** Whenever sessions are saved and however reviews end, no pass reads a turn of a session twice, and none is lost. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import {
  decideReview,
  endReview,
  LEASE_MS,
  type ReviewFate,
  renewReview,
  startReview,
  withoutDeadReview,
  withoutReview,
} from './decide-review.ts'
import { EMPTY_REVIEW_STATE, noteSession, type ReadMarks, type ReviewScope, type ReviewState, reviewStateSchema } from './review-state.ts'

const INTERVAL = 5
const PASSES = ['words', 'everything', 'skills'] as const
const IDS = ['a', 'b', 'c'] as const
type Id = (typeof IDS)[number]

const aStep = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('turn'), id: fc.constantFrom(...IDS), iterations: fc.nat(3) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('asks'), why: fc.constantFrom('turn', 'end', 'request') }) },
  /** `share`: part of the unread turns that fits. */
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ends'),
      fate: fc.constantFrom<ReviewFate>('read', 'read', 'failed', 'stopped'),
      share: fc.constantFrom(0.4, 1, 1),
      isLate: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'renews' } as const) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('time'), ms: fc.constantFrom(1, LEASE_MS, LEASE_MS + 1, 3_600_000) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'revoked' } as const) },
)

interface Running {
  readonly fence: number
  readonly scope: ReviewScope
  /** What the review reads, as of its start: for each session the first unread turn of each pass, and the last turn. */
  readonly reads: readonly { readonly id: Id; readonly from: Readonly<Record<(typeof PASSES)[number], number>>; readonly to: number }[]
}

it('reads each turn once in each pass', () => {
  fc.assert(
    fc.property(fc.array(aStep, { minLength: 20, maxLength: 120, size: 'max' }), (steps) => {
      let state: ReviewState = EMPTY_REVIEW_STATE
      let at = 1_000_000
      let highest = 0
      const unread: ReadMarks = { words: 0, everything: 0, skills: 0 }
      const records = new Map(IDS.map((id) => [id, { turns: 0, iterations: 0 }]))
      // For each pass, the turns that finished reviews have read.
      const wasRead = new Map(PASSES.map((pass) => [pass, new Map(IDS.map((id) => [id, new Set<number>()]))]))
      let running: Running | undefined
      let late: Running | undefined

      const change = (next: ReviewState) => {
        // The state is a valid document: counts are whole and not negative.
        state = reviewStateSchema.parse(next)
        expect(state.fence).toBeGreaterThanOrEqual(highest)
        highest = state.fence
      }

      /** In the same update, the record and the state. */
      const save = (id: Id) => {
        const { turns = 0, iterations = 0 } = records.get(id) ?? {}
        const read = state.sessions.find((session) => session.id === id)?.read ?? unread
        const kept = turns - Math.min(...PASSES.map((pass) => read[pass]))
        const reviewed = { turns: 0, iterations: 0 }
        change(noteSession(state, { id, createdAt: 1, turns, iterations, updatedAt: at, reviewed, kept }, at))
      }

      const asks = (why: 'turn' | 'end' | 'request', minTurns = 3): string => {
        const alive = withoutDeadReview(state, at)
        if (alive !== state && running) {
          late = running
          running = undefined
        }
        change(alive)
        const intervals = { memoryInterval: INTERVAL, skillInterval: INTERVAL }
        const answer = decideReview(state, { why, intervals, minTurns, limits: { budget: undefined, maxTokensPerDay: undefined }, at })
        if (answer.kind !== 'start') return answer.kind
        expect(running).toBeUndefined()
        change(startReview(state, answer.scope, at))
        running = {
          fence: state.fence,
          scope: answer.scope,
          reads: state.sessions.flatMap(({ id, read }) =>
            IDS.flatMap((known) => {
              const record = records.get(known)
              return known === id && record ? [{ id: known, from: read, to: record.turns }] : []
            }),
          ),
        }
        return 'start'
      }

      const ends = ({ fence, scope, reads }: Running, fate: ReviewFate, share: number) => {
        // One pass may have less room than another.
        const upTo = ({ from, to }: Running['reads'][number], pass: (typeof PASSES)[number]) => {
          const first = Math.min(from[pass], to)
          return first + Math.ceil((to - first) * (pass === 'skills' ? 1 : share))
        }
        const readTo = new Map(
          reads.map((each) => [
            each.id,
            { words: upTo(each, 'words'), everything: upTo(each, 'everything'), skills: upTo(each, 'skills') },
          ]),
        )
        const next = endReview(state, { fence, fate, readTo, tokens: 10, at })
        if (!next) return expect(state.review?.fence).not.toBe(fence)
        change(next)
        expect(state.review).toBeUndefined()
        if (fate !== 'read') return
        for (const { id, from } of reads) {
          for (const pass of PASSES.filter((each) => scope[each])) {
            const turns = wasRead.get(pass)?.get(id)
            for (let turn = from[pass] + 1; turn <= (readTo.get(id)?.[pass] ?? 0); turn++) {
              expect([pass, id, turn, turns?.has(turn)]).toEqual([pass, id, turn, false])
              turns?.add(turn)
            }
          }
        }
      }

      for (const step of steps) {
        if (step.kind === 'turn') {
          const record = records.get(step.id)
          if (record) {
            record.turns++
            record.iterations += step.iterations
          }
          save(step.id)
        }
        if (step.kind === 'asks') asks(step.why)
        if (step.kind === 'time') at += step.ms
        if (step.kind === 'renews' && running) change(renewReview(state, running.fence, at) ?? state)
        if (step.kind === 'revoked' && running) {
          change(withoutReview(state))
          late = running
          running = undefined
        }
        const ending = step.kind === 'ends' ? (step.isLate ? late : running) : undefined
        if (step.kind === 'ends' && ending) {
          ends(ending, step.fate, step.share)
          if (step.isLate) late = undefined
          else running = undefined
        }
      }

      at += 2 * LEASE_MS
      for (const id of IDS) save(id)
      running = undefined
      for (let times = 0; asks('request', 1) === 'start' && running; times++) {
        expect(times).toBeLessThan(100)
        ends(running, 'read', 0.5)
        running = undefined
      }
      for (const id of IDS) expect(wasRead.get('words')?.get(id)?.size).toBe(records.get(id)?.turns)
    }),
    { numRuns: rounds(500), seed: 7 },
  )
})
