import { describe, expect, it } from 'vitest'
import { type OwnedSession, sessionHandles } from './session-handles.ts'

const stub = (id: string, idle = true): OwnedSession => ({
  id,
  idle,
  offerTools: () => [],
  systemBlock: async () => '',
  refresh: async () => '',
  recall: async () => [],
  beforeCompress: async () => '',
  switchTo: (to) => stub(to),
  noteToolCall: () => undefined,
  reportWiring: () => undefined,
  beginStep: () => {},
  endStep: () => {},
  recordTurn: () => {},
  submit: () => Promise.reject(new Error('not used')),
  settled: async () => {},
  end: async () => ({ ok: true, value: { kind: 'nothing-due', unreadTurns: 0 } }),
  forget: async () => {},
  redact: async () => {},
  goesOn: () => {},
})

describe('sessionHandles', () => {
  it('gives the same handle for the same id', () => {
    const handles = sessionHandles((id) => stub(id))
    expect(handles.get('a')).toBe(handles.get('a'))
    expect(handles.get('a')).not.toBe(handles.get('b'))
  })

  it('drops the one used longest ago when there are too many', () => {
    const handles = sessionHandles((id) => stub(id), 2)
    const a = handles.get('a')
    const b = handles.get('b')
    handles.get('a')
    handles.get('c')
    expect(handles.get('a')).toBe(a)
    expect(handles.get('b')).not.toBe(b)
  })

  it('never drops one that has something unsaved or in progress', () => {
    const handles = sessionHandles((id) => stub(id, false), 1)
    const a = handles.get('a')
    handles.get('b')
    expect(handles.get('a')).toBe(a)
  })

  it.each([
    ['', 'empty'],
    ['x'.repeat(513), '512'],
    ['\ud800', 'half'],
  ])('refuses an id that cannot be one', (id, why) => {
    expect(() => sessionHandles((id) => stub(id)).get(id)).toThrow(why)
  })
})
