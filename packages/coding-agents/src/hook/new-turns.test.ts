import { describe, expect, it } from 'vitest'
import { opencode } from '../opencode/opencode.ts'
import { UNREAD } from '../transcript/agent-turn.ts'
import type { Bookmark } from './bookmark.ts'
import { readNewTurns } from './new-turns.ts'

let clock = 0
/** Each a little later than the one before. */
const said = (text: string) => ({ info: { role: 'user', time: { created: ++clock } }, parts: [{ type: 'text', text }], isTyped: true })
const at = (end: number, recordedUntil = 0): Bookmark => ({
  ...{ since: 0, end, isUnread: false, isShown: true },
  ...{ project: undefined, recordedUntil },
})
const read = async (rows: readonly unknown[], end: number, recordedUntil?: number) => {
  const { turns, before, end: next } = await readNewTurns(opencode, rows, at(end, recordedUntil), '')
  return { texts: turns.map(({ messages }) => messages[0]?.text), before, next }
}

describe('the new turns of a host that hands its messages over', () => {
  it('are those behind the ones that were recorded', async () => {
    expect(await read([said('one'), said('two'), said('three')], 1)).toEqual({ texts: ['two', 'three'], before: [], next: 3 })
  })

  it('are told with a mark if one before them is too old to be looked at, which may hold anything', async () => {
    expect(await read([null, null, said('three')], 1)).toEqual({ texts: ['three'], before: [UNREAD], next: 3 })
  })

  it('of a conversation that has become shorter are those said later, with the mark', async () => {
    const one = said('one')
    const recordedUntil = clock
    expect(await read([one, said('other')], 3, recordedUntil)).toEqual({ texts: ['other'], before: [UNREAD], next: 2 })
  })
})
