import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../test/support/cpu-time.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { earlierTurns } from './plan-passes.ts'
import { toUnreadTurn } from './unread-turns.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })
const tool = (text: string): TurnMessage => ({ role: 'tool', text, toolNames: ['web'] })
const turnOf = (text: string): readonly TurnMessage[] => [user(text), tool(`page of ${text}`), assistant(`answer to ${text}`)]
const unread = (...turns: readonly (readonly TurnMessage[])[]) => turns.map((messages) => toUnreadTurn(messages, true))
const textsOf = (messages: readonly TurnMessage[]) => messages.map(({ text }) => text)

describe('earlierTurns', () => {
  it('are the turns of the prompt that the review does not read', () => {
    const shown = ['one', 'two', 'three', 'four'].flatMap(turnOf)
    const { messages, ownWords } = earlierTurns(shown, unread(turnOf('three'), turnOf('four')))
    expect(textsOf(ownWords)).toEqual(['one', 'two'])
    expect(textsOf(messages)).toEqual(['one', 'answer to one', 'two', 'answer to two'])
  })

  it('takes words that were said twice for read only as often as they are unread', () => {
    const shown = ['go on', 'two', 'go on'].flatMap(turnOf)
    expect(textsOf(earlierTurns(shown, unread(turnOf('go on'))).ownWords)).toEqual(['go on', 'two'])
    expect(textsOf(earlierTurns(shown, unread(turnOf('go on'), turnOf('two'), turnOf('go on'))).ownWords)).toEqual([])
  })

  it('leaves out exactly the turns that are read, wherever they stand', () => {
    const shown = ['one', 'two', 'three'].flatMap(turnOf)
    expect(textsOf(earlierTurns(shown, unread(turnOf('one'), turnOf('three'))).ownWords)).toEqual(['two'])
    const split = [user('ab'), user('c'), assistant('ok'), user('a'), user('bc'), assistant('ok'), ...turnOf('now')]
    expect(textsOf(earlierTurns(split, unread([user('ab'), user('c')], turnOf('now'))).ownWords)).toEqual(['a', 'bc'])
  })

  it('takes whole turns of 16,000 characters together, and none of a longer one', () => {
    const long = 'so much '.repeat(1_000)
    const { messages, ownWords } = earlierTurns([user(long), user(long), assistant('ok'), ...turnOf('now')], [])
    expect(textsOf(ownWords)).toEqual([long, long])
    expect(messages).toEqual([])
  })

  it('looks at the newest 60 turns', () => {
    const texts = Array.from({ length: 62 }, (_, at) => `turn ${at}`)
    const read = texts.slice(3).map(turnOf)
    expect(textsOf(earlierTurns(texts.flatMap(turnOf), unread(...read)).ownWords)).toEqual(['turn 2'])
  })

  it('never holds the newest turn, and nothing if all that is shown is read', () => {
    expect(earlierTurns(turnOf('one'), [])).toEqual({ messages: [], ownWords: [] })
    const shown = ['one', 'two'].flatMap(turnOf)
    expect(earlierTurns(shown, [{ messages: shown }])).toEqual({ messages: [], ownWords: [] })
  })

  it('finds what was kept also if it was cut, split at a quotation or redacted', () => {
    const said = [
      'x'.repeat(20_000),
      'see\n```\ncode\n```\nwhat is it',
      'my key is sk-abcdefghijklmnop1234567890abcdefghijklmn',
      'password: hunter2hunter2',
    ].map(turnOf)
    expect(earlierTurns([...turnOf('before'), ...said.flat()], unread(...said)).ownWords).toEqual([user('before')])
  })

  it('redacts credentials, and keeps quotations out of the own words', () => {
    const shown = [
      user('my key is sk-abcdefghijklmnop1234567890abcdefghijklmn'),
      assistant('ok'),
      user('see\n```\ncode\n```\nwhat is it'),
      { role: 'user', text: 'a file', outside: true } as const,
      assistant('a snippet'),
      ...turnOf('now'),
    ]
    const { messages, ownWords } = earlierTurns(shown, unread(turnOf('now')))
    expect(JSON.stringify(messages)).not.toContain('abcdefghij')
    expect(JSON.stringify(ownWords)).not.toMatch(/code|a file/)
    expect(textsOf(ownWords).join(' ')).toContain('what is it')
  })

  it('looks at a bounded part of a long prompt, in a short time', () => {
    const short = Array.from({ length: 30 }, (_, at) => turnOf(`${at}`)).flat()
    expect(textsOf(earlierTurns(short, []).ownWords)).toEqual(Array.from({ length: 12 }, (_, at) => `${at + 17}`))
    const long = Array.from({ length: 500 }, (_, at) => turnOf(`${at} ${'so much to say '.repeat(2_000)}`)).flat()
    const startedAt = cpuMs()
    const { messages, ownWords } = earlierTurns(long, [])
    expect(cpuMs() - startedAt).toBeLessThan(250)
    for (const list of [messages, ownWords]) {
      expect(list.length).toBeGreaterThan(0)
      expect(textsOf(list).join('').length).toBeLessThanOrEqual(16_000)
    }
  })
})
