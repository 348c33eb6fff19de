import { describe, expect, it } from 'vitest'
import type { MemoryOp, MemoryTarget } from '../../memory/memory-op.ts'
import type { MemoryProposal, ReviewProposal } from '../../proposal/review-proposal.ts'
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
    expect(groups(replace('tea', MERGED), remove('nothing like it'))).toEqual([])
    expect(groups(remove('Oslo'))).toEqual([])
  })

  it('find an entry by words with blanks around them, and leave additions and skills alone', () => {
    const archived = { target: 'skill', op: { action: 'archive', name: 'deploy' }, rationale: '', score: 1 } as const
    const proposals: readonly ReviewProposal[] = [
      of({ action: 'add', content: OSLO }),
      archived,
      replace(' tea ', MERGED),
      remove(' Oslo\n'),
      of({ action: 'add', content: MERGED }),
    ]
    const { groups: found, repeats } = findMerges(proposals, entries, { shortens: true })
    expect([...found.values()].map((parts) => [...parts.keys()])).toEqual([[proposals[3]]])
    expect(repeats.size).toBe(0)
  })

  const says = (text: string, entry: string): boolean =>
    findMerges([replace(TEA, text), remove(entry)], { memory: [TEA, entry], user: [] }).groups.size > 0

  it.each([
    ['its clauses in another order', 'Drinks green tea. Lives in Oslo, owns a cat', 'Owns a cat; lives in Oslo.'],
    ['other words in between', 'Lives since May in sunny Oslo and drinks green tea', OSLO],
    ['another end of a clause', 'Lives in Oslo, drinks green tea', 'Drinks green tea?! Lives in Oslo'],
    ['no spaces between the clauses', '住在奥斯陆。喝绿茶', '喝绿茶。住在奥斯陆'],
    ['a number and an address', 'Drinks green tea, docs are at /srv/docs, needs version 1.2', 'Needs version 1.2, docs are at /srv/docs'],
    ['its negations', 'Drinks green tea, wants no tea parties, never milk', 'Never milk, wants no tea parties'],
  ])('take away an entry if the text says it with %s', (_, text, entry) => expect(says(text, entry)).toBe(true))

  it.each([
    ['the order of its words', 'Coffee beats tea. Oslo beats Bergen', 'Tea beats coffee. Oslo beats Bergen'],
    ['a clause', 'Drinks green tea and lives in Oslo', 'Lives in Oslo. Owns a cat'],
    ['the end of a clause, where a dot is part of a word', 'Tea of brand x, uses a plan', 'Uses plan.x'],
    ['its number', 'Drinks green tea, needs version 1 or 2', 'Needs version 1.2'],
    ['its address', 'Drinks green tea, docs are at srv docs', 'Docs are at /srv/docs'],
    ['a negation', 'Wants no tea parties, drinks green tea, lives in Oslo', 'Wants no tea. No tea parties'],
    ['what it says without words', 'Drinks green tea', '!?'],
  ])('leave an entry if the text changes %s', (_, text, entry) => expect(says(text, entry)).toBe(false))
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
    expect(parts(replace('bullet', SHORT), replace('introduction', 'Wants no introduction'))).toEqual([])
    const [first, second] = [replace('bullet', SHORT), replace('bullet', SHORT, 'user')]
    expect(findMerges([first, second], { memory: NOTES, user: ['Wants bullet lists'] }, { shortens: true }).groups.size).toBe(0)
  })

  it('lose no word where another text of the review says it all', () => {
    const whole = 'Wants no introduction in answers, and tables'
    const proposals = [replace('bullet', SHORT), replace('cat', whole), remove('introduction')]
    expect(parts(...proposals)).toEqual([[1, { action: 'remove', oldText: NOTES[1] }]])
  })

  it('leave alone what is about something else', () => {
    expect(parts(replace('bullet', SHORT), remove('cat'))).toEqual([])
    const left = (text: string, entry: string) =>
      findMerges([replace('bullet', text), remove(entry)], { memory: [...NOTES, entry], user: [] }, { shortens: true }).groups.size
    // At least half of the words.
    expect([left('Wants bullets and tables', 'Tables, charts'), left('Wants bullets and tables', 'Tables, charts, maps')]).toEqual([1, 0])
    expect(left(SHORT, '!?')).toBe(0)
    expect(findMerges([replace('bullet', SHORT), remove('introduction')], { memory: NOTES, user: [] }).groups.size).toBe(0)
  })
})
