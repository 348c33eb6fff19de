import { describe, expect, it } from 'vitest'
import type { MemoryOp, MemoryTarget } from '../../memory/memory-op.ts'
import type { MemoryProposal } from '../../proposal/review-proposal.ts'
import { findMerges } from './merge-groups.ts'

const of = (op: MemoryOp, target: MemoryTarget = 'memory'): MemoryProposal => ({ target, op, rationale: '', score: 0.9 })
const replace = (oldText: string, content: string, target?: MemoryTarget) => of({ action: 'replace', oldText, content }, target)
const remove = (oldText: string, target?: MemoryTarget) => of({ action: 'remove', oldText }, target)

const TEA = 'Drinks green tea'
const OSLO = 'Lives in Oslo'
const MERGED = 'Drinks green tea and lives in Oslo'
const entries = { memory: [TEA, OSLO, 'Owns a cat'], user: [OSLO] }

const groups = (...proposals: readonly MemoryProposal[]) =>
  [...findMerges(proposals, entries).groups].map(([of, removes]) => [
    proposals.indexOf(of as MemoryProposal),
    ...[...removes.values()].map(({ op }) => op),
  ])

describe('proposals that are one merge', () => {
  it('are a replace and the removes of what its text says, in whatever order, each named in full', () => {
    const removal = { action: 'remove', oldText: OSLO }
    expect(groups(replace('tea', MERGED), remove('Oslo'))).toEqual([[0, removal]])
    expect(groups(remove('Oslo'), replace('tea', MERGED))).toEqual([[1, removal]])
    expect(groups(replace('tea', MERGED), remove('Oslo'), remove('Lives'))).toEqual([[0, removal]])
  })

  it('name a second remove of the same entry, which would find its words in the merged one', () => {
    const again = remove('Lives')
    expect([...findMerges([replace('tea', MERGED), remove('Oslo'), again], entries).repeats]).toEqual([again])
    expect([...findMerges([remove('cat'), remove('cat')], entries).repeats]).toEqual([])
  })

  it('leave alone what the text does not say, what another proposal changes, and the other store', () => {
    expect(groups(replace('tea', MERGED), remove('cat'))).toEqual([])
    expect(groups(replace('tea', MERGED), remove('Oslo', 'user'))).toEqual([])
    expect(groups(replace('tea', MERGED), remove('tea'))).toEqual([])
    expect(groups(replace('nothing like it', MERGED), remove('Oslo'))).toEqual([])
    expect(groups(remove('Oslo'))).toEqual([])
  })
})

describe('proposals of the pass over the own words that are one shorter merge', () => {
  const NOTES = ['Wants answers in short bullet points', 'Wants no introduction in answers', 'Owns a cat called Mia']
  const SHORT = 'Wants short bullet answers, no introduction'
  const parts = (...proposals: readonly MemoryProposal[]) =>
    [...findMerges(proposals, { memory: NOTES, user: [] }, { shortens: true }).groups].map(([head, group]) => [
      proposals.indexOf(head as MemoryProposal),
      ...[...group.values()].map(({ op }) => op),
    ])
  const part = { action: 'replace', oldText: NOTES[1], content: SHORT }

  it('are a replace and the removes of what its text says in fewer words, which the gate sees as what they are', () => {
    expect(parts(replace('bullet', SHORT), remove('introduction'))).toEqual([[0, part]])
    expect(parts(remove('introduction'), replace('bullet', SHORT))).toEqual([[1, part]])
  })

  it('are several replaces by the same text', () => {
    expect(parts(replace('bullet', SHORT), replace('introduction', SHORT))).toEqual([[0, part]])
    expect(parts(replace('bullet', SHORT), replace('bullet', SHORT))).toEqual([])
  })

  it('leave alone what is about something else', () => {
    expect(parts(replace('bullet', SHORT), remove('cat'))).toEqual([])
    expect(findMerges([replace('bullet', SHORT), remove('introduction')], { memory: NOTES, user: [] }).groups.size).toBe(0)
  })
})
