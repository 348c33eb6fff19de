import { describe, expect, it } from 'vitest'
import { findDisagreements } from './consolidation-disagreements.ts'

const done = { name: 'a', into: 'u', method: 'merge', reason: 'r', files: ['SKILL.md'], missing: [], archivedAs: '.archive/a' } as const
const NOTHING = { consolidated: [], pruned: [], refused: [], held: [] }
const said = (more: object = {}) => ({ consolidations: [{ from: 'a', into: 'u', reason: 'r', ...more }], prunings: [] })

describe('findDisagreements', () => {
  it('finds none where all was done as it was said', () => {
    expect(findDisagreements(said({ method: 'merge' }), { ...NOTHING, consolidated: [done] })).toEqual([])
    const pruned = [{ name: 'x', reason: 'r', archivedAs: '.archive/x' }]
    expect(findDisagreements({ consolidations: [], prunings: [{ name: 'x', reason: 'r' }] }, { ...NOTHING, pruned })).toEqual([])
  })

  it('tells what did not happen, and why', () => {
    const refused = [{ kind: 'consolidation', names: ['a'], into: 'u', why: 'It is pinned.' }] as const
    expect(findDisagreements(said(), { ...NOTHING, refused })).toEqual([
      { said: "'a' goes into 'u'", done: "'a' stays as it is. It is pinned." },
    ])
    const held = [{ names: ['a'], into: 'u', why: 'Ask.', pendingIds: [] }]
    expect(findDisagreements(said(), { ...NOTHING, held })[0]?.done).toBe("'a' waits: Ask.")
    expect(findDisagreements({ consolidations: [], prunings: [{ name: 'x', reason: 'r' }] }, NOTHING)[0]?.done).toBe("'x' stays as it is.")
  })

  it('tells what happened otherwise: another way, or with a text that leaves something out', () => {
    expect(findDisagreements(said({ method: 'create' }), { ...NOTHING, consolidated: [done] })[0]?.done).toBe("'a' went into 'u' (merge).")
    expect(findDisagreements(said(), { ...NOTHING, consolidated: [{ ...done, missing: ['a code block'] }] })[0]?.done).toContain(
      'leaves out a code block',
    )
    expect(findDisagreements(said(), { ...NOTHING, consolidated: [{ ...done, into: 'v' }] })).toHaveLength(1)
  })
})
