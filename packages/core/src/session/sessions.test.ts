import { describe, expect, it } from 'vitest'
import { recordRedactor } from './record-redaction.ts'
import type { OwnedSession } from './session-home.ts'
import { Sessions } from './sessions.ts'

const stub = (id: string, idle = true): OwnedSession => ({
  id,
  idle,
  offerTools: () => [],
  systemBlock: async () => '',
  refresh: async () => '',
  noteInterrupted: () => undefined,
  recall: async () => [],
  beforeCompress: async () => '',
  switchTo: (to) => stub(to),
  noteToolCall: () => undefined,
  reportWiring: () => undefined,
  beginStep: () => {},
  endStep: () => {},
  recordTurn: () => {},
  takeLearned: () => undefined,
  noteLearned: () => {},
  submit: () => Promise.reject(new Error('not used')),
  settled: async () => {},
  end: async () => ({ ok: true, value: { kind: 'nothing-due', unreadTurns: 0 } }),
  forget: async () => {},
  redact: async () => {},
  goesOn: () => {},
})

describe('Sessions', () => {
  it('gives the same handle for the same id', () => {
    const handles = new Sessions((id) => stub(id))
    expect(handles.get('a')).toBe(handles.get('a'))
    expect(handles.get('a')).not.toBe(handles.get('b'))
  })

  it('drops the one used longest ago when there are too many', () => {
    const handles = new Sessions((id) => stub(id), 2)
    const a = handles.get('a')
    const b = handles.get('b')
    handles.get('a')
    handles.get('c')
    expect(handles.get('a')).toBe(a)
    expect(handles.get('b')).not.toBe(b)
  })

  it('never drops one that has something unsaved or in progress', () => {
    const handles = new Sessions((id) => stub(id, false), 1)
    const a = handles.get('a')
    handles.get('b')
    expect(handles.get('a')).toBe(a)
  })

  it('are idle once all are', () => {
    const handles = new Sessions((id) => stub(id, id !== 'busy'))
    handles.get('a')
    expect(handles.idle).toBe(true)
    handles.get('busy')
    expect(handles.idle).toBe(false)
  })

  it('forget and redact all that are open, and open new ones afterwards', async () => {
    const done: string[] = []
    const handles = new Sessions((id) => ({
      ...stub(id),
      forget: async () => void done.push(`forget ${id}`),
      redact: async () => void done.push(`redact ${id}`),
      settled: async () => void done.push(`settled ${id}`),
    }))
    const a = handles.get('a')
    handles.get('b')
    await handles.settled()
    await handles.redact(recordRedactor({ matches: () => false, cut: (text) => text }))
    await handles.forget('b')
    await handles.forgetAll()
    expect(done).toEqual(['settled a', 'settled b', 'redact a', 'redact b', 'forget b', 'forget a'])
    expect(handles.get('a')).not.toBe(a)
  })

  it('take an id of 512 characters, and none that is not text', () => {
    const handles = new Sessions((id) => stub(id))
    expect(handles.get('x'.repeat(512)).id).toHaveLength(512)
    for (const id of [undefined, null, 7, ['a']]) expect(() => Reflect.apply(handles.get, handles, [id])).toThrow('non-empty string')
  })

  it.each([
    ['', 'empty'],
    ['x'.repeat(513), '512'],
    ['\ud800', 'half'],
  ])('refuses an id that cannot be one', (id, why) => {
    expect(() => new Sessions((id) => stub(id)).get(id)).toThrow(why)
  })
})
