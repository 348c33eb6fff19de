import { expect, it } from 'vitest'
import type { MemoryOpOutcome } from '../memory/memory-op.ts'
import type { AppliedProposal, ReviewOutcome } from '../review/review-outcome.ts'
import { LearnedNotes } from './learned.ts'

const reasons = { rationale: '', score: 1 }
const verdict = { verdict: 'approve', reason: '' } as const
const dates = (origin: 'user' | 'tool' | 'external') => ({ origin, firstSeenAt: 0, lastConfirmedAt: 0 })

const applied = (change: Partial<AppliedProposal>): AppliedProposal => {
  const proposal = { target: 'user', op: { action: 'add', content: 'tea' }, ...reasons } as const
  const outcome: MemoryOpOutcome = {
    ...{ target: 'user', message: '', entryCount: 1, usedChars: 3, charLimit: 9, usage: '', previous: [] },
    facts: [{ content: dates('user') }],
  }
  return { proposal, verdict, outcome, ...change }
}

const outcomeOf = (...changes: readonly AppliedProposal[]): ReviewOutcome => ({ applied: changes, held: [], rejected: [], failed: [] })

const learn = (...changes: readonly AppliedProposal[]) => {
  const notes = new LearnedNotes()
  notes.note(outcomeOf(...changes))
  return notes.take()?.learned
}

it('shows the new text of a replaced entry, and the name of a removed one', () => {
  const facts = [{ previous: dates('external'), content: dates('user') }]
  const replaced = { target: 'memory', op: { action: 'replace', oldText: 'coffee', content: 'tea' }, ...reasons } as const
  const removed = { target: 'memory', op: { action: 'remove', oldText: 'coffee' }, ...reasons } as const
  const { outcome } = applied({})
  expect(learn(applied({ proposal: replaced, outcome: { ...outcome, facts } as MemoryOpOutcome }), applied({ proposal: removed }))).toEqual(
    [
      { target: 'memory', action: 'replace', content: 'tea' },
      { target: 'memory', action: 'remove', content: 'coffee' },
    ],
  )
})

it.each([
  ['an entry from outside', [{ content: dates('tool') }]],
  ['an entry of which nothing is known', undefined],
])('shows no text of %s', (_, facts) => {
  const { outcome } = applied({})
  expect(learn(applied({ outcome: { ...outcome, facts } as MemoryOpOutcome }))).toEqual([{ target: 'user', action: 'add' }])
})

it('shows no text of an entry from outside that was replaced', () => {
  const { outcome } = applied({})
  const replaced = { target: 'memory', op: { action: 'replace', oldText: 'coffee', content: 'tea' }, ...reasons } as const
  const facts = [{ previous: dates('tool'), content: dates('user') }]
  expect(learn(applied({ proposal: replaced, outcome: { ...outcome, facts } as MemoryOpOutcome }))).toEqual([
    { target: 'memory', action: 'replace' },
  ])
})

it('leaves out what only confirms an entry, not what makes it the user’s', () => {
  const { outcome } = applied({})
  const confirmed = { origin: 'user', firstSeenAt: 5, lastConfirmedAt: 9 } as const
  expect(learn(applied({ outcome: { ...outcome, facts: [{ content: confirmed }] } as MemoryOpOutcome }))).toBeUndefined()
  const raised = [{ previous: dates('tool'), content: confirmed }]
  expect(learn(applied({ outcome: { ...outcome, facts: raised } as MemoryOpOutcome }))).toEqual([
    { target: 'user', action: 'add', content: 'tea' },
  ])
})

it('counts a proposal that is held again once', () => {
  const notes = new LearnedNotes()
  const held = (pendingId: string) =>
    ({ proposal: { target: 'user', op: { action: 'add', content: 'a' }, ...reasons }, reason: 'Ask.', pendingId }) as const
  notes.note({ ...outcomeOf(), held: [held('p1'), held('p2')] })
  notes.note({ ...outcomeOf(), held: [held('p1')] })
  expect(notes.take()?.held).toBe(2)
  expect(notes.take()).toBeUndefined()
})

it('keeps the newest 100 changes, and counts all that waits', () => {
  const notes = new LearnedNotes()
  const waits = { proposal: { target: 'user', op: { action: 'add', content: 'a' }, ...reasons }, reason: 'Ask.' } as const
  for (let at = 0; at < 120; at++) {
    const proposal = { target: 'user', op: { action: 'add', content: `fact ${at}` }, ...reasons } as const
    notes.note({ ...outcomeOf(applied({ proposal })), held: [waits], rejected: [waits] })
  }
  const { learned = [], held } = notes.take() ?? {}
  expect([learned.length, learned[0]?.content, held]).toEqual([100, 'fact 20', 120])
  expect(notes.take()).toBeUndefined()
})
