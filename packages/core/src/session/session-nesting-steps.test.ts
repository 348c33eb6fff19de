import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { ModelToolCall } from './nested-run.ts'
import { SessionNesting } from './session-nesting.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string, ...toolNames: readonly string[]): TurnMessage => ({ role: 'assistant', text, toolNames })
const resultOf = (name: string): readonly TurnMessage[] => [assistant('', name), { role: 'tool', text: '42', toolNames: [name] }]

const QUESTION = 'I live in Mars'

const setUp = () => new SessionNesting({ storage: {} }, 'chat', () => 0)

/** The id is unlike those of other tests, since the calls of a process are kept together. */
const call = (prompt: readonly TurnMessage[], more: Partial<ModelToolCall> = {}): ModelToolCall => ({
  id: randomUUID(),
  name: 'research',
  input: { q: QUESTION },
  prompt,
  ...more,
})

/** A model call for this prompt that calls a tool; its step is waiting afterwards. */
const delegate = (nesting: SessionNesting, prompt: readonly TurnMessage[], more: Partial<ModelToolCall> = {}): string => {
  const made = call(prompt, more)
  nesting.begin(prompt)
  nesting.noteCall(made)
  nesting.end(prompt, false)
  return made.id
}

/** A turn in a conversation of which the host shows the history. */
const turn = [user('Hello'), assistant('Hi.'), user('Delegate please')]

describe('an agent that is given the words of the user', () => {
  it.each([
    ['reported before and after', true],
    ['reported by its tool calls alone', false],
  ])('is nested once the answer of a model call is complete, and a retry before that: %s', (_, isBegun) => {
    const chat = setUp()
    const prompt = [user(QUESTION)]
    if (isBegun) chat.begin(prompt)
    for (const name of ['research', 'lookup']) chat.noteCall(call(prompt, { name }))
    expect(chat.wouldNest([user(QUESTION)])).toBe(false)
    chat.end(prompt, false)
    expect(chat.wouldNest([user(QUESTION)])).toBe(true)
    expect(chat.isNested([user(QUESTION)])).toBe(false)
    delegate(chat, [user('And that, too')], { input: {} })
    expect(chat.isNested([user(QUESTION)])).toBe(false)
  })

  it('ends without ending the turn around it', () => {
    const chat = setUp()
    const outer = delegate(chat, [user(QUESTION)])
    const inner = [user(QUESTION)]
    const lookup = delegate(chat, inner, { name: 'lookup', input: {} })
    expect(chat.end(inner, true)).toBe(true)
    expect([chat.ownerOfCall(outer, 'research'), chat.ownerOfCall(lookup, 'lookup')]).toEqual(['own', 'unknown'])
  })

  it('waits on while a second request with the same words is tried again', () => {
    const chat = setUp()
    const [first, second] = [[user(QUESTION)], [user(QUESTION)]]
    chat.begin(first)
    chat.begin(second)
    const { id } = call(first)
    chat.noteCall(call(first, { id }))
    chat.end(first, false)
    chat.noteCall(call(second, { name: 'lookup', input: {} }))
    expect(chat.begin([user(QUESTION)])).toBe(false)
    expect(chat.ownerOfCall(id, 'research')).toBe('own')
  })
})

describe('a nested run', () => {
  it('stays nested when it goes on with other words, if an argument began it', () => {
    const chat = setUp()
    delegate(chat, turn)
    const inner = [user(QUESTION)]
    expect(chat.begin(inner)).toBe(true)
    expect(chat.begin([...inner, assistant('Fine.'), user('Now sum it up')])).toBe(true)
  })

  it('stays nested beside another that began with the same words', () => {
    const chat = setUp()
    delegate(chat, turn)
    const long = [user('You are a researcher'), user('Where is Venus?')]
    expect([long, [user('You are a researcher')]].map((prompt) => chat.begin(prompt))).toEqual([true, true])
    expect(chat.begin([...long, ...resultOf('lookup')])).toBe(true)
  })

  it('is known by its calls alone', () => {
    const chat = setUp()
    delegate(chat, turn)
    const made = call([user(QUESTION)], { name: 'memory' })
    chat.noteCall(made)
    expect(chat.ownerOfCall(made.id, 'memory')).toBe('nested')
  })

  it('waits for a tool no longer once it was shown the result', () => {
    const chat = setUp()
    delegate(chat, turn)
    const inner = [user(QUESTION)]
    const id = delegate(chat, inner, { name: 'lookup', input: {} })
    expect(chat.ownerOfCall(id, 'lookup')).toBe('nested')
    chat.begin([...inner, ...resultOf('lookup')])
    expect(chat.ownerOfCall(id, 'lookup')).toBe('unknown')
  })

  it('leaves the turn around it waiting if the framework knows that it is nested, whatever it says', () => {
    const chat = setUp()
    const outer = delegate(chat, turn)
    const inner = [user('A template')]
    for (const prompt of [turn, inner, [...inner, assistant('Fine.'), user('Now sum it up')]]) chat.begin(prompt, true)
    expect(chat.ownerOfCall(outer, 'research')).toBe('own')
  })

  it('does not make a call nested whose id the turn around it has used', () => {
    const chat = setUp()
    delegate(chat, turn, { id: 'call_0' })
    delegate(chat, [user(QUESTION)], { id: 'call_0' })
    expect(chat.ownerOfCall('call_0', 'research')).toBe('own')
  })
})
