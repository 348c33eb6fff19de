import { describe, expect, it } from 'vitest'
import { ok } from '../shared/result.ts'
import { describeEntryChanges } from './describe-change.ts'
import { findLost } from './make-room.ts'
import type { MemoryOp } from './memory-op.ts'
import { planChange } from './plan-change.ts'

const changesOf = async (before: readonly string[], ...ops: readonly MemoryOp[]) => {
  const planned = planChange(before, { target: 'memory', charLimit: 1_000, batch: ops.length > 1, ops: ops.map((op) => ok(op)) })
  if (!planned.ok) throw planned.error
  return describeEntryChanges('memory', { ...planned.value, before, lost: findLost(before, planned.value) })
}

describe('describeEntryChanges', () => {
  it('names what came and what left, with the id in the archive', async () => {
    const changes = await changesOf(['a', 'b'], { action: 'replace', oldText: 'a', content: 'c' }, { action: 'add', content: 'd' })
    expect(changes.added).toEqual(['c', 'd'])
    expect(changes.removed).toEqual([{ text: 'a', archivedId: expect.stringMatching(/^memory-[0-9a-f]{16}$/) }])
    expect(changes.evicted).toEqual([])
  })

  it('names no archive for what differs in white space alone', async () => {
    const changes = await changesOf(['a  b', 'c'], { action: 'replace', oldText: 'a  b', content: 'a b' })
    expect(changes).toEqual({ added: ['a b'], removed: [{ text: 'a  b' }], evicted: [] })
  })

  it('is empty if all is as it was', async () => {
    expect(await changesOf(['a'], { action: 'add', content: 'a' })).toEqual({ added: [], removed: [], evicted: [] })
  })

  it('tells what made room from what was taken away', async () => {
    const planned = planChange(['old', 'b'], {
      target: 'user',
      charLimit: 100,
      batch: false,
      ops: [ok({ action: 'remove', oldText: 'old' })],
    })
    if (!planned.ok) throw planned.error
    const changes = await describeEntryChanges(
      'user',
      { ...planned.value, before: ['old', 'b'], lost: findLost(['old', 'b'], planned.value) },
      [{ text: 'old', origin: 'tool' }],
    )
    expect(changes).toMatchObject({ removed: [], evicted: [{ text: 'old', archivedId: expect.stringMatching(/^user-/) }] })
  })
})
