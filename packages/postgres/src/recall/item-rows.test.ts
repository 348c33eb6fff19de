import { describe, expect, it } from 'vitest'
import { derivedEntry, inGroups, newEntry, toHit } from './item-rows.ts'

const item = { id: 'a', kind: 'turn', source: 's', at: 5, automated: true, user: 'tea tea', answer: 'cake' } as const
const termsOf = () => ['tea', 'tea', '__proto__', 'cake']

describe('entries', () => {
  it('count the terms of an item, whatever they are called', () => {
    const terms = JSON.parse('{"tea":2,"__proto__":1,"cake":1}')
    expect(JSON.parse(newEntry({ termsOf }, item))).toEqual({ ...item, terms })
    expect(JSON.parse(derivedEntry({ termsOf }, { no: '7', item }))).toEqual({ no: '7', terms })
    expect(newEntry({ termsOf }, item)).toContain('"__proto__":1')
  })

  it('come back as items', () => {
    const row = { no: '7', kind: 'turn', id: 'a', source: 's', at: '5', automated: 'true', said: 'tea tea', answer: 'cake', score: '1.5' }
    expect(toHit(row)).toEqual({ ...item, score: 1.5 })
  })
})

describe('inGroups', () => {
  const groupsOf = async (all: readonly string[]): Promise<readonly (readonly string[])[]> => {
    const groups: string[][] = []
    const sum = await inGroups(
      all,
      (one) => JSON.stringify(one),
      async (entries) => {
        const group: string[] = JSON.parse(entries)
        groups.push(group)
        return group.length
      },
    )
    expect(sum).toBe(all.length)
    return groups
  }

  it('writes nothing for nothing', async () => {
    expect(await groupsOf([])).toEqual([])
  })

  it('writes at most 200 entries at once, in order', async () => {
    const all = Array.from({ length: 450 }, (_, n) => `${n}`)
    const groups = await groupsOf(all)
    expect(groups.map(({ length }) => length)).toEqual([200, 200, 50])
    expect(groups.flat()).toEqual(all)
  })

  it('writes at most half a million characters at once, and a longer entry alone', async () => {
    const [long, longer] = ['x'.repeat(300_000), 'y'.repeat(900_000)]
    expect((await groupsOf([long, long, longer, 'short'])).map((group) => group.map(({ length }) => length))).toEqual([
      [300_000],
      [300_000],
      [900_000],
      [5],
    ])
  })

  it('stops at the first failure', async () => {
    let calls = 0
    const write = async () => {
      calls += 1
      throw new Error('down')
    }
    await expect(inGroups(Array.from({ length: 500 }), () => '1', write)).rejects.toThrow('down')
    expect(calls).toBe(1)
  })
})
