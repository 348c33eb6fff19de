import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { ModelToolCall } from './nested-run.ts'
import { SessionNesting } from './session-nesting.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string, ...toolNames: readonly string[]): TurnMessage => ({ role: 'assistant', text, toolNames })
const result: TurnMessage = { role: 'tool', text: '42', toolNames: ['research'] }

const QUESTION = 'I live in Mars'

let calls = 0

/** A model call for this prompt that calls a research tool; its step is waiting afterwards. */
const delegate = (nesting: SessionNesting, prompt: readonly TurnMessage[], more: Partial<ModelToolCall> = {}): string => {
  calls += 1
  const id = more.id ?? `call-${calls}`
  nesting.begin(prompt)
  nesting.noteCall({ id, name: 'research', input: JSON.stringify({ q: QUESTION }), prompt, ...more })
  nesting.end(prompt, false, [assistant('I look.', 'research')])
  return id
}

const setUp = () => {
  const home = { storage: {} }
  return { home, chat: new SessionNesting(home, 'chat', () => 0), other: new SessionNesting(home, 'other', () => 0) }
}

describe('begin and end', () => {
  it('tell a nested run from the turn around it, step by step', () => {
    const { chat } = setUp()
    const turn = [user('Delegate please')]
    delegate(chat, turn)
    const inner = [user(QUESTION)]
    expect(chat.begin(inner)).toBe(true)
    expect(chat.end(inner, true)).toBe(true)
    const next = [...turn, assistant('', 'research'), result]
    expect(chat.begin(next)).toBe(false)
    expect(chat.end(next, true)).toBe(false)
  })

  it('keep a nested run nested through its own tools', () => {
    const { chat } = setUp()
    delegate(chat, [user('Hello'), assistant('Hi.'), user('Delegate please')])
    const inner = [user('A template without the words')]
    delegate(chat, inner, { name: 'lookup', input: { topic: 'coats' } })
    expect(chat.begin([...inner, assistant('', 'lookup'), { ...result, toolNames: ['lookup'] }])).toBe(true)
  })

  it('find a nested run of another session of the home, and none of another home', () => {
    const { chat, other } = setUp()
    delegate(chat, [user('Delegate please')])
    expect(other.begin([user(QUESTION)])).toBe(true)
    expect(new SessionNesting({ storage: {} }, 'chat', () => 0).begin([user(QUESTION)])).toBe(false)
  })

  it('find no nested run where the user mentions what the model asked in the session itself', () => {
    const { chat } = setUp()
    const turn = [user('Hello'), assistant('Hi.'), user('Delegate please')]
    delegate(chat, turn)
    expect(chat.begin([...turn, assistant('I look.', 'research'), user(`No: ${QUESTION}, as I said.`)])).toBe(false)
  })

  it('keep a run nested of which only the framework knew', () => {
    const { chat } = setUp()
    const inner = [user('Look it up')]
    chat.begin(inner, true)
    chat.noteCall({ id: 'call-inner', name: 'lookup', input: {}, prompt: inner })
    chat.end(inner, false)
    expect(chat.begin([...inner, assistant('', 'lookup'), { ...result, toolNames: ['lookup'] }])).toBe(true)
  })

  it('foresee what they would find, or what a framework knows', () => {
    const { chat } = setUp()
    expect(chat.wouldNest([user(QUESTION)])).toBe(false)
    expect(chat.wouldNest([user(QUESTION)], true)).toBe(true)
    delegate(chat, [user('Delegate please')])
    expect(chat.wouldNest([user(QUESTION)])).toBe(true)
  })

  it('know nothing more of a session that was forgotten, nor of a call that comes late', () => {
    const { chat, other } = setUp()
    const turn = [user('Delegate please')]
    delegate(chat, turn)
    chat.forget()
    expect(other.begin([user(QUESTION)])).toBe(false)
    delegate(chat, turn)
    expect(other.begin([user(QUESTION)])).toBe(false)
  })

  it('judge a conversation that an adapter shows at the end of a run as they judged its steps', () => {
    const { chat } = setUp()
    delegate(chat, [user('Delegate please')])
    expect(chat.end([user(QUESTION), assistant('A coat.')], true)).toBe(true)
    expect(chat.isNested([user(QUESTION), assistant('A coat.')])).toBe(true)
    const whole = [user('Delegate please'), assistant('', 'research'), result, assistant('A coat.')]
    expect(chat.end(whole, true)).toBe(false)
    expect(chat.begin([user(QUESTION)])).toBe(false)
  })

  it('never doubt the words of the waiting turn itself', () => {
    const { chat } = setUp()
    delegate(chat, [user(QUESTION)])
    expect(chat.isNested([user(QUESTION), assistant('', 'memory')])).toBe(false)
  })

  it('believe a framework that knows', () => {
    const { chat } = setUp()
    expect(chat.begin([user('Hello')], true)).toBe(true)
    expect(chat.begin([user('Hello')])).toBe(false)
  })

  it('wait for no tool of an aborted turn', () => {
    const { chat } = setUp()
    const turn = new AbortController()
    delegate(chat, [user('Delegate please')], { signal: turn.signal })
    turn.abort()
    expect(chat.begin([user(QUESTION)])).toBe(false)
  })

  it('take whatever is asked while a tool is open for the tool’s own question', () => {
    const { chat } = setUp()
    delegate(chat, [user('Delegate please')])
    const page = [user('Summarise this page: …')]
    expect(chat.begin(page)).toBe(true)
    expect(chat.begin([...page, assistant('It is about coats.'), user('And this one: …')])).toBe(true)
  })

  it('give up a call that gets no result for a quarter of an hour', () => {
    const clock = manualClock(0)
    const chat = new SessionNesting({ storage: {} }, 'chat', clock)
    delegate(chat, [user('Delegate please')])
    clock.advance(900_000)
    expect(chat.wouldNest([user('A new chat')])).toBe(true)
    clock.advance(1)
    expect(chat.wouldNest([user('A new chat')])).toBe(false)
  })

  it('keep at most 50 waiting steps of a home', () => {
    const { chat } = setUp()
    for (let step = 0; step < 51; step++) delegate(chat, [user(`Delegate ${step}`)], { input: { q: `question ${step}` } })
    expect(chat.isNested([user('question 0')])).toBe(false)
    expect(chat.isNested([user('question 1')])).toBe(true)
    const elsewhere = new SessionNesting({ storage: {} }, 'chat', () => 0)
    delegate(elsewhere, [user('Delegate there')], { input: { q: 'another question' } })
    expect(chat.isNested([user('question 1')])).toBe(true)
    expect(elsewhere.isNested([user('another question')])).toBe(true)
  })
})

describe('ownerOfCall', () => {
  it('knows whose model made a call while the call waits', () => {
    const { chat, other } = setUp()
    const turn = [user('Delegate please')]
    const id = delegate(chat, turn)
    const stranger = new SessionNesting({ storage: {} }, 'chat', () => 0)
    expect([chat, other, stranger].map((nesting) => nesting.ownerOfCall(id, 'research'))).toEqual(['own', 'own', 'other-home'])
    expect(chat.ownerOfCall(id, 'memory')).toBe('unknown')
    chat.begin([...turn, assistant('', 'research'), result])
    expect(stranger.ownerOfCall(id, 'research')).toBe('unknown')
  })

  it('knows the calls of a nested run', () => {
    const { chat } = setUp()
    delegate(chat, [user('Delegate please')])
    expect(chat.ownerOfCall(delegate(chat, [user(QUESTION)], { name: 'memory' }), 'memory')).toBe('nested')
  })

  it('refuses no call if two homes have a call of the same id', () => {
    const { chat } = setUp()
    const stranger = new SessionNesting({ storage: {} }, 'chat', () => 0)
    for (const nesting of [chat, stranger]) delegate(nesting, [user('Delegate please')], { id: 'call_0' })
    expect([chat, stranger].map((nesting) => nesting.ownerOfCall('call_0', 'research'))).toEqual(['own', 'own'])
  })
})
