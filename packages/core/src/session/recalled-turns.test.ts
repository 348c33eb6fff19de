import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import {
  boundRecalled,
  charsOfTexts,
  MAX_RECALLED_CHARS,
  matchRecalled,
  placeOfNewest,
  RECALLED_PLACEHOLDER,
  type RecalledTurn,
  withPlaceholders,
} from './recalled-turns.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const agent = (text: string): TurnMessage => ({ role: 'assistant', text })

/** Plays a conversation: each user message is sent with these texts. */
const play = (turns: readonly { readonly says: string; readonly texts: readonly string[]; readonly answer: string }[]) => {
  const history: TurnMessage[] = []
  let recalled: readonly RecalledTurn[] = []
  for (const { says, texts, answer } of turns) {
    history.push(user(says))
    const turn = placeOfNewest(history, recalled)?.turn ?? { number: 0, key: '' }
    recalled = [...recalled, { ...turn, texts }]
    history.push(agent(answer))
  }
  return { history, recalled }
}

const shown = (prompt: readonly TurnMessage[], recalled: readonly RecalledTurn[]) =>
  matchRecalled(prompt, recalled).map(({ index, turn }) => [index, ...turn.texts])

describe('matchRecalled', () => {
  const { history, recalled } = play([
    { says: 'hello', texts: ['one'], answer: 'Hi.' },
    { says: 'ok', texts: [], answer: 'Done.' },
    { says: 'ok', texts: ['three'], answer: 'Done.' },
    { says: 'ok', texts: ['four'], answer: 'Done.' },
    { says: 'bye', texts: ['five'], answer: 'Bye.' },
  ])

  it('finds the texts of each message, also of repeated ones', () => {
    expect(shown(history, recalled)).toEqual([
      [0, 'one'],
      [4, 'three'],
      [6, 'four'],
      [8, 'five'],
    ])
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('finds the same texts behind a window that begins at message %i', (from) => {
    const window = history.slice(from)
    const all = shown(history, recalled).map(([index, text]) => [Number(index) - from, text])
    expect(shown(window, recalled)).toEqual(all.filter(([index]) => Number(index) >= 0))
  })

  it('tells the same words at the head of a window from those that began the conversation', () => {
    const same = play([
      { says: 'ok', texts: ['one'], answer: 'Done.' },
      { says: 'ok', texts: ['two'], answer: 'Done.' },
      { says: 'ok', texts: ['three'], answer: 'Done.' },
    ])
    expect(shown(same.history.slice(2), same.recalled)).toEqual([
      [0, 'two'],
      [2, 'three'],
    ])
    expect(shown(same.history.slice(0, 2), same.recalled)).toEqual([[0, 'one']])
  })

  it('gives nothing to a message in another place', () => {
    const edited = [user('hello'), agent('Hello yourself.'), user('bye')]
    expect(shown(edited, recalled)).toEqual([[0, 'one']])
  })

  it('skips a message that was sent without texts, though an older one of the same words had some', () => {
    const later = play([
      { says: 'ok', texts: ['old'], answer: 'Done.' },
      { says: 'ok', texts: [], answer: 'Done.' },
    ])
    expect(shown(later.history, later.recalled)).toEqual([[0, 'old']])
  })

  it('reads a list again to which messages were added', () => {
    const list = history.slice(0, 2)
    expect(shown(list, recalled)).toEqual([[0, 'one']])
    list.push(...history.slice(2))
    expect(shown(list, recalled)).toHaveLength(4)
  })

  it('reads only the messages before an index, if one is given', () => {
    expect(matchRecalled(history, recalled, 4)).toMatchObject([{ index: 0, turn: { texts: ['one'] } }])
  })

  const keyOf = (says: string, before: string) => `${fingerprint(says)}:${fingerprint(before)}`

  it('gives equal messages the newest turns of their words, each once', () => {
    const key = keyOf('ok', 'Done.')
    const equal = [agent('Done.'), user('ok'), agent('Done.'), user('ok'), agent('Done.'), user('ok')]
    const unlinked = [1, 2].map((number): RecalledTurn => ({ number, key, texts: [`${number}`] }))
    expect(shown(equal, unlinked)).toEqual([
      [3, '1'],
      [5, '2'],
    ])
    const linked = unlinked.map((turn) => (turn.number === 2 ? { ...turn, after: 1 } : turn))
    expect(shown(equal, linked)).toEqual([
      [3, '1'],
      [5, '2'],
    ])
  })

  it('trusts a link to the turn before more than equal words, unless the turn is gone or the message was edited', () => {
    const first: RecalledTurn = { number: 1, key: keyOf('a', 'b'), texts: ['first'] }
    const second: RecalledTurn = { number: 2, after: 1, key: keyOf('c', 'd'), texts: ['second'] }
    const third: RecalledTurn = { number: 3, key: keyOf('a', 'b'), texts: ['third'] }
    const prompt = [agent('b'), user('a'), agent('d'), user('c')]
    expect(shown(prompt, [first, second, third])).toEqual([
      [1, 'first'],
      [3, 'second'],
    ])
    expect(shown(prompt, [second])).toEqual([[3, 'second']])
    const edited = [agent('b'), user('x'), agent('d'), user('c')]
    expect(shown(edited, [first, second])).toEqual([[3, 'second']])
    expect(shown(edited.slice(1), [first, second])).toEqual([[2, 'second']])
  })

  it('matches nothing that is not in the user’s own words', () => {
    expect(shown([{ ...user('hello'), outside: true }, agent('hello')], recalled)).toEqual([])
  })
})

describe('placeOfNewest', () => {
  const first: RecalledTurn = { number: 4, key: `${fingerprint('a')}:${fingerprint('')}`, texts: ['x'] }
  const prompt = [user('a'), agent('b'), user('c')]
  const key = `${fingerprint('c')}:${fingerprint('b')}`

  it('links a turn to the one before it', () => {
    expect(placeOfNewest(prompt, [first])).toEqual({ index: 2, turn: { number: 5, after: 4, key }, known: undefined })
    expect(placeOfNewest(prompt, [])).toEqual({ index: 2, turn: { number: 1, key }, known: undefined })
    expect(placeOfNewest([agent('b')], [first])).toBeUndefined()
  })

  it('names a message by what the agent said before it, whatever it called after that', () => {
    expect(placeOfNewest([user('a'), agent('b'), agent(''), user('c')], [first])).toMatchObject({ turn: { after: 4, key } })
  })

  it('links no turn to one further back than the message before', () => {
    const further = [user('a'), agent('b'), user('x'), agent('b'), user('c')]
    expect(placeOfNewest(further, [first])).toEqual({ index: 4, turn: { number: 5, key }, known: undefined })
  })

  it('knows no message without a place, and no other words at its place', () => {
    expect(placeOfNewest([user('a')], [first])?.known).toBeUndefined()
    expect(placeOfNewest(prompt, [first, { number: 5, after: 4, key: 'other:', texts: [] }])?.known).toBeUndefined()
  })

  it('knows a message that stood at the same place before', () => {
    const second: RecalledTurn = { number: 5, after: 4, key, texts: [] }
    expect(placeOfNewest(prompt, [first, second])?.known).toBe(second)
    expect(placeOfNewest([...prompt, agent('b'), user('c')], [first, second])?.known).toBeUndefined()
    expect(placeOfNewest([agent('b'), user('c')], [first, second])?.known).toBeUndefined()
  })
})

describe('boundRecalled', () => {
  it('drops the oldest above the limit', () => {
    const turns = Array.from({ length: 100 }, (_, at): RecalledTurn => ({ number: at, key: `${at}:`, texts: ['x'.repeat(1_600)] }))
    const kept = boundRecalled(turns)
    expect(charsOfTexts(kept.flatMap(({ texts }) => texts))).toBe(MAX_RECALLED_CHARS)
    expect(kept.at(-1)?.key).toBe('99:')
    expect(boundRecalled(kept)).toBe(kept)
  })

  it('drops empty turns first of very many', () => {
    const turns = Array.from(
      { length: 2_000 },
      (_, at): RecalledTurn => ({ number: at, key: `${at}:`, texts: at % 100 === 0 ? ['x'] : [] }),
    )
    const kept = boundRecalled(turns)
    expect(kept).toHaveLength(500)
    expect(kept.filter(({ texts }) => texts.length > 0)).toHaveLength(20)
    expect(boundRecalled(turns.map((turn) => ({ ...turn, texts: ['x'] })))).toHaveLength(500)
    const texts = (at: number): readonly string[] => ['x'.repeat(at < 100 ? 1 : 160)]
    expect(boundRecalled(turns.slice(0, 600).map((turn) => ({ ...turn, texts: texts(turn.number) })))).toHaveLength(400)
    // The oldest 100 are over the number of turns; the others fit.
    expect(boundRecalled(turns.slice(0, 600).map((turn) => ({ ...turn, texts: ['x'.repeat(120)] })))).toHaveLength(500)
  })
})

describe('withPlaceholders', () => {
  it('puts none before the first words that were sent with recalled text', () => {
    const { history, recalled } = play([
      { says: 'a', texts: [], answer: 'b' },
      { says: 'c', texts: ['x'], answer: 'd' },
    ])
    expect(withPlaceholders(history, recalled)).toEqual([user('a'), agent('b'), user('c'), RECALLED_PLACEHOLDER, agent('d')])
  })

  it('puts one behind the user’s words that were sent with recalled text', () => {
    const { history, recalled } = play([
      { says: 'a', texts: ['x', 'y'], answer: 'b' },
      { says: 'c', texts: [], answer: 'd' },
    ])
    expect(withPlaceholders(history, recalled)).toEqual([user('a'), RECALLED_PLACEHOLDER, agent('b'), user('c'), agent('d')])
    expect(withPlaceholders(history, [])).toBe(history)
    const twice = [user('a'), user('more'), agent('b')]
    expect(withPlaceholders(twice, recalled)).toEqual([user('a'), user('more'), RECALLED_PLACEHOLDER, agent('b')])
  })
})
