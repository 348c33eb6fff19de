import { describe, expect, it } from 'vitest'
import { opencode } from '../opencode/opencode.ts'
import { UNREAD } from '../transcript/agent-turn.ts'
import type { Bookmark } from './bookmark.ts'
import { readNewTurns } from './new-turns.ts'

const said = (text: string, time: number) => ({
  ...{ info: { role: 'user', time: { created: time } }, parts: [{ type: 'text', text }], isTyped: true },
  at: time,
})
const at = (end: number): Bookmark => ({
  ...{ since: 0, end, isUnread: false, isShown: true },
  ...{ project: undefined, recordedUntil: 0 },
})
const read = async (rows: readonly unknown[], end: number) => {
  const { turns, before, end: next } = await readNewTurns(opencode, rows, at(end), '')
  return { texts: turns.map(({ messages }) => messages[0]?.text), before, next }
}

describe('the new turns of a host that hands its messages over', () => {
  it('are those said later than the ones that were recorded, however many are left of these', async () => {
    expect(await read([said('one', 1), said('two', 2), said('three', 3)], 1)).toEqual({ texts: ['two', 'three'], before: [], next: 3 })
    expect(await read([said('other', 4)], 3)).toEqual({ texts: ['other'], before: [], next: 4 })
    expect(await read([said('one', 1)], 3)).toEqual({ texts: [], before: [], next: 3 })
  })

  it('are told with a mark if one before them is too old to be looked at, which may hold anything', async () => {
    expect(await read([null, null, said('three', 3)], 1)).toEqual({ texts: ['three'], before: [UNREAD], next: 3 })
    expect(await read([null, said('two', 2), said('three', 3)], 2)).toEqual({ texts: ['three'], before: [], next: 3 })
  })
})
