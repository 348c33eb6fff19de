/** What is kept of turns that are too long, to the character. */
import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { boundTurns, charsOf, isShownIn, ownCharsOf, toUnreadTurn, UNREAD_LIMITS, type UnnumberedTurn } from './unread-turns.ts'

/** Counted for each message. */
const FRAME = 60

const says = (text: string): TurnMessage => ({ role: 'user', text })
const replies = (text: string): TurnMessage => ({ role: 'assistant', text })
const page = (text: string): TurnMessage => ({ role: 'tool', text })
const pasted = (text: string): TurnMessage => ({ role: 'user', text, outside: true })
/** Exactly so many characters, in words of one letter. */
const letters = (chars: number) => 'a '.repeat(chars).slice(0, chars)
const times = <T>(count: number, make: (index: number) => T): readonly T[] => Array.from({ length: count }, (_, index) => make(index))
const keptOf = (...messages: readonly TurnMessage[]) => toUnreadTurn(messages, false).messages

describe('a message that is too long', () => {
  it('has no part of a word left at the cut, since part of a secret could not be recognised', () => {
    for (let shift = 0; shift < 12; shift++) {
      const words = times(3_000, (index) => `word-${index}`)
      const [kept] = keptOf(says(`${'x'.repeat(shift)} ${words.join(' ')} end`))
      const cut = kept?.text.split(' […] ').flatMap((part) => part.trim().split(' ').slice(1)) ?? []
      expect(cut.length).toBeGreaterThan(500)
      expect(cut.filter((word) => !words.includes(word))).toEqual(['end'])
    }
  })

  it('keeps as much as its limit allows, of any script', () => {
    const [latin] = keptOf(says(letters(20_000)))
    expect(latin?.text.length).toBeGreaterThan(UNREAD_LIMITS.message.user - 10)
    expect(latin?.text.length).toBeLessThanOrEqual(UNREAD_LIMITS.message.user)
    const [chinese] = keptOf(says('我住在那慕尔'.repeat(4_000)))
    expect(chinese?.text.length).toBeGreaterThan(UNREAD_LIMITS.message.user - 10)
    expect(keptOf(says('x'.repeat(9_000)))[0]?.text).toBe(' […] ')
  })

  it.each([
    ['the user’s own', says, UNREAD_LIMITS.message.user],
    ['pasted text', pasted, UNREAD_LIMITS.message.tool],
    ['an answer', replies, UNREAD_LIMITS.message.assistant],
    ['an answer from outside', (text: string) => ({ ...replies(text), outside: true }), UNREAD_LIMITS.message.assistant],
    ['the result of a tool', page, UNREAD_LIMITS.message.tool],
  ])('has the limit of its kind: %s', (_, make, limit) => {
    expect(keptOf(make(letters(limit)))).toEqual([make(letters(limit))])
    expect(keptOf(make(letters(limit + 1)))[0]?.text).toContain(' […] ')
  })

  it('keeps the first and the last fifty parts of each kind', () => {
    const kept = keptOf(says(times(300, (index) => `> quote ${index}\n\nword ${index}\n`).join('')))
    const own = kept.filter(({ outside }) => outside !== true).map(({ text }) => text)
    const ends = [...times(50, (index) => index), ...times(50, (index) => 250 + index)]
    expect(own).toEqual(ends.map((index) => `word ${index}`))
    expect(kept.filter(({ outside }) => outside).map(({ text }) => text)).toEqual(ends.map((index) => `> quote ${index}`))
  })
})

describe('the user’s own words and what came before any text from outside', () => {
  it.each<[string, readonly TurnMessage[], readonly number[]]>([
    ['everything without text from outside', [says('a'), replies('bb')], [1, 2]],
    ['the words of the user alone after a page', [says('a'), page('page'), replies('bb'), says('ccc')], [1, 3]],
    ['the same after a pasted text', [says('a'), pasted('page'), replies('bb')], [1]],
    ['none of an answer to a page', [page('page'), replies('bb')], []],
    ['the result of a trusted tool', [says('a'), { ...page('note'), trusted: true }, replies('bb')], [1, 4, 2]],
  ])('are %s', (_, messages, lengths) => {
    const chars = (each: readonly number[]) => each.reduce((sum, length) => sum + length + FRAME, 0)
    expect(ownCharsOf({ messages })).toBe(chars(lengths))
    const own = messages.filter(({ role, outside }) => role === 'user' && outside !== true)
    expect(ownCharsOf({ messages, tainted: true })).toBe(charsOf(own))
  })
})

describe('a turn that is too long', () => {
  it('keeps own words whole up to its limit, and shortens them beyond it rather than drop the oldest', () => {
    const own = times(8, () => replies(letters(UNREAD_LIMITS.turnChars / 8 - FRAME)))
    expect(keptOf(...own, page('page'))).toEqual(own)
    const pages = times(16, () => page(letters(UNREAD_LIMITS.turnChars / 16 - FRAME)))
    expect(keptOf(...pages)).toEqual(pages)
    const longer = keptOf(...own, replies('b'), page('page'))
    expect(longer).toHaveLength(10)
    expect(Math.max(...longer.map(({ text }) => text.length))).toBeLessThanOrEqual(UNREAD_LIMITS.shortMessage.assistant)
  })

  it('shortens text from outside, and keeps own words before it whole', () => {
    const kept = keptOf(replies(letters(3_000)), ...times(20, () => page(letters(1_900))))
    expect(kept[0]?.text).toBe(letters(3_000))
    expect(kept.slice(1)).toHaveLength(20)
    expect(Math.max(...kept.slice(1).map(({ text }) => text.length))).toBeLessThanOrEqual(UNREAD_LIMITS.shortMessage.tool)
  })

  it('drops the oldest text from outside first, as much as needed', () => {
    const pages = times(200, (index) => page(`${index} ${letters(200)}`.slice(0, 190)))
    expect(keptOf(...pages)).toEqual(pages.slice(-UNREAD_LIMITS.turnChars / (190 + FRAME)))
    const said = [says(letters(8_000)), says(letters(8_000)), replies(letters(400))]
    const kept = keptOf(...said, ...pages)
    expect(kept.slice(0, 3)).toEqual(said)
    expect(kept.at(-1)).toEqual(pages.at(-1))
    expect(charsOf(kept)).toBeLessThanOrEqual(UNREAD_LIMITS.turnChars)
    expect(charsOf(kept)).toBeGreaterThan(UNREAD_LIMITS.turnChars - 260)
  })

  it.each<[string, readonly TurnMessage[], boolean]>([
    ['the result of a tool', [page('42')], true],
    ['a call', [{ ...replies(''), toolNames: ['sum'] }], true],
    ['words', [says('a'), { ...replies('b'), toolNames: [] }], false],
  ])('shows by %s whether it used tools, and which', (_, messages, used) => {
    expect(toUnreadTurn(messages, false)).toEqual({ messages, ...(used ? { tools: true } : {}) })
  })
})

it('notes text from outside in a turn, and before it', () => {
  const messages = [says('a')]
  expect(toUnreadTurn(messages, false, { outside: true })).toEqual({ messages, outside: true })
  expect(toUnreadTurn(messages, false, { tainted: true })).toEqual({ messages, tainted: true })
})

describe('all turns of a session', () => {
  const turn = (chars: number): UnnumberedTurn => ({ messages: [says(letters(chars - FRAME))] })
  const full = times(8, () => turn(UNREAD_LIMITS.chars / 8))

  it('stay as they are up to the limit, and lose the oldest beyond it', () => {
    expect(boundTurns(full)).toEqual({ turns: full, dropped: 0 })
    expect(boundTurns([...full, turn(FRAME)])).toEqual({ turns: [...full.slice(1), turn(FRAME)], dropped: 1 })
  })

  it('do not count a turn as dropped that had no text', () => {
    const none: UnnumberedTurn = { messages: [], tools: true }
    expect(boundTurns([none, ...full, turn(FRAME)])).toEqual({ turns: [none, ...full.slice(1), turn(FRAME)], dropped: 1 })
  })
})

it('takes words for shown only if the user is shown to have said them', () => {
  expect(isShownIn([says('a')], [page('a'), pasted('a'), replies('a')])).toBe(false)
  expect(isShownIn([says('a'), pasted('b')], [says('a')])).toBe(true)
})
