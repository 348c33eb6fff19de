import { HermesError, type HermesEvent, type ReviewOutcome } from '@hermes/core'
import { expect, it } from 'vitest'
import { createEventTeller, describeEvent } from './describe-event.ts'
import type { ReviewStart } from './describe-review.ts'

const after = (reviews: ReviewStart['reviews'], turns: number, iterations: number): ReviewStart => ({
  type: 'review-started',
  sessionId: 's',
  at: 0,
  reviews,
  turns,
  iterations,
})

const proposal = { target: 'user', op: { action: 'add', content: 'A\u001b' }, rationale: '', score: 0.4 } as const
const applied = {
  proposal,
  verdict: { verdict: 'approve', reason: 'fine' },
  outcome: { target: 'user', message: '', entryCount: 1, usedChars: 1, charLimit: 9, usage: '', previous: [] },
} as const
const finished = (outcome: Partial<ReviewOutcome>): HermesEvent => ({
  type: 'review-finished',
  sessionId: 's',
  at: 0,
  outcome: { applied: [], held: [], rejected: [], failed: [], ...outcome },
})

it('tells the buckets of a review, and each item that was written or held with its reason', () => {
  const outcome = {
    applied: [
      applied,
      {
        ...applied,
        proposal: { ...proposal, evidence: [{ quote: 'the page says A' }] },
        verdict: { ...applied.verdict, origin: 'tool' as const },
      },
      {
        proposal: {
          ...proposal,
          op: { action: 'replace', oldText: 'Oslo', content: 'Lives in Porto' },
          evidence: [{ quote: 'actually, Porto' }],
        },
        verdict: { ...applied.verdict, origin: 'user' },
        outcome: { ...applied.outcome, previous: ['Lives in Oslo'] },
      } as const,
    ],
    held: [{ proposal, reason: 'nobody said it (see m2, m13)', pendingId: '1234abcd5678' }],
    rejected: [{ proposal, reason: 'score 0.4 < 0.7' }],
    failed: [{ proposal, error: new HermesError('over_limit', 'the store is full') }],
  }
  expect(describeEvent(finished(outcome), after('memory', 10, 3))).toBe(
    `· review after 10 turns: 3 learned, 1 held for you, 1 rejected, 1 failed
learned: A
  fine
learned: A
  from outside, kept as data: “the page says A”
replaced: Lives in Oslo → Lives in Porto
  you said: “actually, Porto”
held: add user: A
  nobody said it
  /approve 1234abcd or /reject 1234abcd
rejected: add user: A
  score 0.4 < 0.7
failed: add user: A
  the store is full`,
  )
  const text = (start: ReviewStart | undefined) => describeEvent(finished({}), start)
  expect(text(after('memory', 1, 4))).toBe('· review after 1 turn: nothing new')
  expect(text(after('skills', 4, 10))).toBe('· review after 10 tool steps: nothing new')
  expect(text(after('both', 10, 12))).toBe('· review after 10 turns and 12 tool steps: nothing new')
  expect(text(undefined)).toBe('· review: nothing new')
})

it('tells what made room in a full memory, once', () => {
  const evicted = [{ text: 'Lives in Lisbon', origin: 'user' as const }]
  const crowded = { ...applied, outcome: { ...applied.outcome, evicted } }
  expect(describeEvent(finished({ applied: [crowded, crowded] }), undefined)).toBe(
    `· review: 2 learned
learned: A
  fine
moved to the archive to make room: Lives in Lisbon`,
  )
})

it('tells each skill that a review made or changed', () => {
  const op = { action: 'create', name: 'split-bills', content: '' } as const
  const learned = {
    proposal: { target: 'skill', op, rationale: '', score: 0.9 },
    verdict: { verdict: 'approve', reason: 'fine' },
    outcome: { target: 'skill', action: 'create', name: 'split-bills', path: 'split-bills', filePath: 'SKILL.md', message: '' },
  } as const
  const wrote = (action: 'patch' | 'write_file', filePath: string) => ({ ...learned, outcome: { ...learned.outcome, action, filePath } })
  const outcome = { applied: [learned, wrote('patch', 'SKILL.md'), wrote('patch', 'SKILL.md'), wrote('write_file', 'references/tips.md')] }
  expect(describeEvent(finished(outcome), after('skills', 4, 10))).toBe(
    `· review after 10 tool steps: 4 learned
learned a skill: split-bills
  fine
improved the skill split-bills
  fine
added references/tips.md to the skill split-bills
  fine`,
  )
})

it('tells what a memory provider did, and what is wrong with it', () => {
  const about = { at: 0, provider: 'recall' }
  const recalled = { type: 'recalled', ...about, sessionId: 's', chars: 80, ms: 3 } as const
  expect(describeEvent({ ...recalled, texts: 2 }, undefined)).toBe('· recalled 2 texts')
  expect(describeEvent({ ...recalled, texts: 0 }, undefined)).toBeUndefined()
  const error = new HermesError('provider', 'No answer in time.')
  expect(describeEvent({ type: 'provider-failed', ...about, operation: 'prefetch', error }, undefined)).toBe(
    '· recall failed (prefetch): No answer in time. The chat goes on without it.',
  )
  expect(describeEvent({ type: 'provider-paused', ...about, until: 0, error }, undefined)).toMatch(
    /^· recall is not asked until \d\d:\d\d$/,
  )
  expect(describeEvent({ type: 'provider-resumed', ...about }, undefined)).toBe('· recall answers again')
  expect(describeEvent({ type: 'provider-dropped', ...about, items: 3 }, undefined)).toContain('3 turns did not reach recall')
  expect(describeEvent({ type: 'recall-full', sessionId: 's', at: 0, chars: 64_000 }, undefined)).toMatch(/nothing more is recalled/)
})

it('tells failures as problems, and nothing about what needs no telling', () => {
  const error = new HermesError('unwritable', 'No permission to write.')
  expect(describeEvent({ type: 'storage-failed', sessionId: 's', at: 0, operation: 'save session', error }, undefined)).toBe(
    '· memory problem (save session): No permission to write. The chat goes on without it.',
  )
  const start = after('memory', 10, 0)
  expect(describeEvent({ type: 'review-failed', sessionId: 's', at: 0, error: new HermesError('model', 'review exploded') }, start)).toBe(
    '· review after 10 turns failed: review exploded. The chat goes on, and the next review reads the same turns.',
  )
  expect(describeEvent(start, start)).toBeUndefined()
  const stopped = { type: 'review-stopped', sessionId: 's', at: 0 } as const
  expect(describeEvent(stopped, start)).toBe('· review after 10 turns stopped: the next review reads the same turns')
  expect(describeEvent({ type: 'review-waits', at: 0, reason: 'budget', turns: 10 }, undefined)).toContain('its share of tokens')
  const paused = { type: 'learning-paused', sessionId: 's', at: 0, failures: 3, until: 0 } as const
  expect(describeEvent(paused, undefined)).toMatch(/^· 3 reviews failed in a row/)
})

it('tells what the curator failed at', () => {
  const error = new HermesError('unreadable', 'the records are broken')
  expect(describeEvent({ type: 'curator-failed', at: 0, reason: 'scheduled', error }, undefined)).toBe(
    '· curator failed: the records are broken (the chat is not affected)',
  )
})

it('tells a problem in red and once, and what was learned in green', () => {
  const told: [string, unknown][] = []
  const { see } = createEventTeller({ tell: (text, tone) => told.push([text, typeof tone === 'string' ? tone : tone('learned: A')]) })
  const failed = (operation: string): HermesEvent => ({ type: 'storage-failed', at: 0, operation, error: new HermesError('io', 'Disk.') })
  for (const event of [failed('save'), failed('save'), failed('load'), failed('load'), finished({})]) see(event)
  expect(told).toEqual([
    ['· memory problem (save): Disk. The chat goes on without it.', 'red'],
    ['· memory problem (load): the same cause', 'red'],
    ['· review: nothing new', 'green'],
  ])
})

it('tells of the review that runs, else of the first that starts, once', () => {
  const { see, tellNext, isReviewing } = createEventTeller({ tell: () => {} })
  const turns: number[] = []
  const stop = tellNext((start) => turns.push(start.turns))
  for (const event of [after('memory', 3, 0), finished({}), after('memory', 4, 0)]) see(event)
  stop()
  expect([turns, isReviewing()]).toEqual([[3], true])
  tellNext((start) => turns.push(start.turns))()
  see(finished({}))
  tellNext((start) => turns.push(start.turns))()
  see(after('memory', 5, 0))
  expect(turns).toEqual([3, 4])
})
