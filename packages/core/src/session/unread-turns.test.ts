import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { appendTurn, boundTurns, isAwaited, isShownIn, toUnreadTurn, UNREAD_LIMITS, type UnreadTurn } from './unread-turns.ts'

const says = (text: string): TurnMessage => ({ role: 'user', text })
const turn = (text: string, more: Partial<UnreadTurn> = {}): UnreadTurn => ({ ...toUnreadTurn([says(text)], false), ...more })
const sizeOf = (turns: readonly UnreadTurn[]) => JSON.stringify(turns).length

describe('a turn that waits for a review', () => {
  it('knows whether it used tools, by its messages or by what the host counted', () => {
    expect(toUnreadTurn([says('a')], false)).toEqual({ messages: [says('a')] })
    expect(toUnreadTurn([says('a')], true)).toMatchObject({ tools: true })
    expect(toUnreadTurn([says('a'), { role: 'tool', text: '42', toolNames: ['sum'] }], false)).toMatchObject({ tools: true })
  })

  it('is bounded whatever is in it, and keeps what the user said and how it ended', () => {
    const long = [
      says('the question'),
      ...Array.from({ length: 5_000 }, (_, at): TurnMessage => ({ role: 'tool', text: `${at} ${'x'.repeat(500)}` })),
    ]
    const { messages } = toUnreadTurn([...long, { role: 'assistant', text: 'the answer' }], true)
    expect(JSON.stringify(messages).length).toBeLessThan(2 * UNREAD_LIMITS.turnChars)
    expect(messages[0]).toEqual(says('the question'))
    expect(messages.at(-1)?.text).toBe('the answer')
    const [giant] = toUnreadTurn([says(`first ${'word '.repeat(200_000)}last`)], false).messages
    expect(giant?.text).toMatch(/^first .* \[…\] .*last$/s)
    expect(giant?.text.length).toBeLessThan(10_000)
  })

  it('waits for memory, and for skills where work with tools is near', () => {
    const [plain, work, reaction, later] = ['a', 'b', 'c', 'd'].reduce<readonly UnreadTurn[]>(
      (turns, text) => appendTurn(turns, turn(text, text === 'b' ? { tools: true } : {})),
      [],
    )
    const skillsOnly = { memoryInterval: 0, skillInterval: 10 }
    expect([plain, work, reaction, later].map((each) => each && isAwaited(each, skillsOnly))).toEqual([false, true, true, false])
    const memoryOnly = { memoryInterval: 10, skillInterval: 0 }
    expect([plain, work].map((each) => each && isAwaited(each, memoryOnly))).toEqual([true, true])
    expect(isAwaited(turn('a', { readBy: 'memory' }), { memoryInterval: 10, skillInterval: 10 })).toBe(false)
    expect(isAwaited(turn('a', { readBy: 'memory', forSkills: true }), { memoryInterval: 10, skillInterval: 10 })).toBe(true)
    expect(isAwaited(turn('a', { forSkills: true }), { memoryInterval: 0, skillInterval: 0 })).toBe(false)
  })
})

describe('boundTurns', () => {
  it('leaves alone what has room', () => {
    const turns = [turn('a'), turn('b')]
    expect(boundTurns(turns)).toEqual({ turns, dropped: 0 })
  })

  it('shortens the tool results of older turns before any turn goes', () => {
    const work = Array.from({ length: 40 }, (_, at) =>
      toUnreadTurn([says(`question ${at}`), { role: 'tool', text: `${at} ${'x'.repeat(1_900)}` }], true),
    )
    const { turns, dropped } = boundTurns(work)
    expect(dropped).toBe(0)
    expect(turns).toHaveLength(40)
    expect(turns[0]?.messages[0]?.text).toBe('question 0')
    expect(turns[0]?.messages[1]?.text.length).toBeLessThan(250)
    expect(turns.at(-1)?.messages[1]?.text.length).toBeGreaterThan(1_900)
  })

  it('lets the oldest go, keeps the newest and those that a review is reading, and tells how many went', () => {
    const many = Array.from({ length: 30 }, (_, at) => turn(`${at}; ${'word '.repeat(1_200)}`, at === 0 ? { taken: true } : {}))
    const { turns, dropped } = boundTurns(many)
    expect(turns).toHaveLength(30 - dropped)
    expect(dropped).toBeGreaterThan(10)
    expect(turns[0]?.taken).toBe(true)
    expect(turns.slice(1).map(({ messages }) => Number.parseInt(messages[0]?.text ?? '', 10))).toEqual(
      Array.from({ length: 29 - dropped }, (_, at) => dropped + 1 + at),
    )
  })

  it('never lets the kept text grow beyond its bound, and keeps what it has kept before', () => {
    const aTurn = fc.array(
      fc.record({ role: fc.constantFrom('user', 'assistant', 'tool'), text: fc.string({ maxLength: 200 }), times: fc.nat(90) }),
      {
        minLength: 1,
        maxLength: 30,
      },
    )
    fc.assert(
      fc.property(fc.array(aTurn, { maxLength: 30 }), (conversation) => {
        let kept: readonly UnreadTurn[] = []
        for (const messages of conversation) {
          const said = messages.map(
            ({ role, text, times }): TurnMessage => ({ role: role as TurnMessage['role'], text: text.repeat(times) }),
          )
          kept = boundTurns(appendTurn(kept, toUnreadTurn(said, false))).turns
          const chars = kept.flatMap((each) => each.messages).reduce((sum, { text }) => sum + text.length, 0)
          expect(chars).toBeLessThanOrEqual(UNREAD_LIMITS.chars)
        }
        expect(boundTurns(kept)).toEqual({ turns: kept, dropped: 0 })
        expect(sizeOf(kept)).toBeLessThan(10 * UNREAD_LIMITS.chars)
      }),
      { numRuns: 50, seed: 3 },
    )
  })
})

describe('isShownIn', () => {
  it('tells whether a prompt shows all that the user said, also what is kept in other words', () => {
    const said = [says('my key is sk-abcdefghijklmnop1234567890abcdefgh'), says(`long ${'word '.repeat(10_000)}`)]
    const kept = toUnreadTurn(said, false).messages
    expect(isShownIn(kept, [...said, says('more')])).toBe(true)
    expect(isShownIn(kept, said.slice(1))).toBe(false)
  })
})
