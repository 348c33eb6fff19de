import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { areMessages } from './session.ts'
import { newTurnKey, OpenTurns, splitTurn, splitTurns, type TurnState, turnKeyOf, turnsBeforeLast } from './turn.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })
const toolResult: TurnMessage = { role: 'tool', text: '42', toolNames: ['answer'] }

const fresh: TurnState = { turnKey: undefined, openKeys: new Set(), finishedKeys: new Set(), userTurns: 0 }

const after = (prompt: readonly TurnMessage[], options: { readonly open: boolean; readonly turns?: number }): TurnState => {
  const turnKey = turnKeyOf(prompt)
  const openKeys = new Set(options.open && turnKey !== undefined ? [turnKey] : [])
  return { ...fresh, turnKey, openKeys, userTurns: options.turns ?? 1 }
}

describe('newTurnKey', () => {
  it('sees a turn if the prompt ends with the user', () => {
    expect(newTurnKey(fresh, [user('hi')])).toBeDefined()
  })

  it('sees none in an empty prompt, after a tool result or after the assistant', () => {
    expect(newTurnKey(fresh, [])).toBeUndefined()
    expect(newTurnKey(fresh, [user('hi'), assistant('…'), toolResult])).toBeUndefined()
    expect(newTurnKey(fresh, [user('hi'), assistant('hello')])).toBeUndefined()
  })

  it('takes the same prompt for a retry while the turn is open', () => {
    const prompt = [user('hi')]
    expect(newTurnKey(after(prompt, { open: true }), prompt)).toBeUndefined()
  })

  it('takes the same prompt with history for a regeneration once the turn has closed', () => {
    const prompt = [user('hi'), assistant('hello'), user('yes')]
    expect(newTurnKey(after(prompt, { open: false, turns: 2 }), prompt)).toBeUndefined()
  })

  it('counts the same words again if the host keeps no history', () => {
    const prompt = [user('yes')]
    expect(newTurnKey(after(prompt, { open: false, turns: 2 }), prompt)).toBeDefined()
  })

  it.each([
    ['greeted the user', [assistant('Welcome.'), user('yes')]],
    ['shows two messages of the user', [user('so'), user('yes')]],
  ])('takes the same prompt for a regeneration if the host %s, so it keeps a history', (_, prompt) => {
    expect(newTurnKey(after(prompt, { open: false, turns: 2 }), prompt)).toBeUndefined()
  })

  it('takes a prompt for a retry while its turn is open, also if another one has begun since', () => {
    const [first, second] = [[user('one')], [user('two')]]
    const openKeys = new Set([turnKeyOf(first) ?? ''])
    expect(newTurnKey({ ...fresh, turnKey: turnKeyOf(second), openKeys, userTurns: 2 }, first)).toBeUndefined()
  })

  it('begins the next turn although the last one never closed', () => {
    const first = [user('go')]
    expect(newTurnKey(after(first, { open: true }), [...first, assistant('working'), user('and now?')])).toBeDefined()
  })

  it('looks past a file that is attached to the user message', () => {
    const file: TurnMessage = { role: 'user', text: '[file report.pdf]', outside: true }
    const key = newTurnKey(fresh, [user('read this'), file])
    expect(key).toBe(newTurnKey(fresh, [user('read this')]))
  })
})

describe('turnKeyOf', () => {
  it('is the same in every step of a turn', () => {
    const asked = [user('a'), assistant('b'), user('c')]
    expect(turnKeyOf([...asked, { role: 'assistant', text: '', toolNames: ['answer'] }, toolResult])).toBe(turnKeyOf(asked))
  })

  it('is another one for other words, and none if the user said nothing', () => {
    expect(turnKeyOf([user('c')])).not.toBe(turnKeyOf([user('d')]))
    expect(turnKeyOf([assistant('b'), toolResult])).toBeUndefined()
  })
})

describe('splitTurns', () => {
  const file: TurnMessage = { role: 'user', text: '[file report.pdf]', outside: true }

  it('begins a turn with the words of the user, and what the host put beside them', () => {
    const turns = [
      [user('a'), assistant('b'), toolResult],
      [file, user('c'), assistant('d')],
      [user('e'), file],
    ]
    expect(splitTurns(turns.flat())).toEqual(turns)
  })

  it('takes text that the host adds in the middle of a turn for no beginning, and leaves out what no turn begins', () => {
    const turn = [user('a'), assistant('b'), file, assistant('c')]
    expect(splitTurns([assistant('of a turn that is cut off'), ...turn])).toEqual([turn])
    expect(splitTurns([assistant('b')])).toEqual([])
  })

  it('looks at each message of a long conversation a few times only', () => {
    let looks = 0
    const counted = (message: TurnMessage): TurnMessage => ({
      ...message,
      get role() {
        looks++
        return message.role
      },
    })
    const long = Array.from({ length: 2_000 }, (_, index) => counted(index % 2 === 0 ? user(`Question ${index}`) : assistant('Fine.')))
    expect(splitTurns(long)).toHaveLength(1_000)
    expect(looks).toBeLessThan(8 * long.length)
  })

  it('tells the words that begin a turn from the rest of it', () => {
    expect(splitTurn([file, user('c'), assistant('d'), toolResult])).toEqual({
      words: [file, user('c')],
      rest: [assistant('d'), toolResult],
    })
    expect(splitTurn([user('c')])).toEqual({ words: [user('c')], rest: [] })
  })
})

describe('createOpenTurns', () => {
  const ask = (turn: number) => [user(`question ${turn}`)]
  const answer = (turn: number) => [...ask(turn), assistant('Yes.')]

  it('keeps a hundred turns open, and drops the oldest', () => {
    const turns = new OpenTurns({ turnOpen: false })
    for (let turn = 1; turn <= 101; turn++) expect(turns.begin(ask(turn), 0)).toBe(true)
    expect(turns.finish([user('something else'), assistant('Yes.')])).toMatchObject({ messages: [...ask(101), assistant('Yes.')] })
    expect(turns.finish(answer(1))).toBeUndefined()
    expect(turns.finish(answer(2))).toMatchObject({ messages: answer(2) })
    expect(turns.finish(answer(2))).toBeUndefined()
  })

  it('notes tools for the turn that called them', () => {
    const turns = new OpenTurns({ turnOpen: false })
    for (const turn of [1, 2]) turns.begin(ask(turn), 0)
    turns.noteTools(ask(1))
    turns.noteTools([])
    expect([turns.finish(answer(1))?.worked, turns.finish(answer(2))?.worked]).toEqual([true, true])
    turns.noteTools(ask(3))
    turns.begin(ask(3), 0)
    expect(turns.finish(answer(3))?.worked).toBe(false)
  })

  it('takes what the host added right behind the words of the user into the turn', () => {
    const turns = new OpenTurns({ turnOpen: false })
    turns.begin(ask(1), 0)
    const page: TurnMessage = { role: 'user', text: 'A page', outside: true }
    const said = [...ask(1), page, assistant('Yes.')]
    expect(turns.finish(said)?.messages).toEqual(said)
  })

  it('continues an open turn of another process, and not one that is over', () => {
    const turnKey = turnKeyOf(ask(1))
    expect(new OpenTurns({ turnKey, turnOpen: true }).finish(answer(1))).toEqual({ messages: answer(1), worked: false, before: [] })
    expect(new OpenTurns({ turnKey, turnOpen: false }).finish(answer(1))).toBeUndefined()
  })
})

describe('what the model asked its tools', () => {
  const prompt = [user('Look into it')]

  it('is known in the open turn, in another process too, and forgotten with the turn', () => {
    const turns = new OpenTurns({ turnOpen: false })
    turns.begin(prompt, 0)
    turns.noteAsked(['I live on Mars.'])
    const other = new OpenTurns(turns.newest)
    for (const each of [turns, other]) {
      expect(each.wasAsked([user(' I live on Mars. ')])).toBe(true)
      expect(each.wasAsked([user('I live on Mars.'), assistant(''), toolResult])).toBe(true)
      expect(each.wasAsked([user('I live in Namur.')])).toBe(false)
      expect(each.wasAsked([toolResult])).toBe(false)
    }
    other.finish([...prompt, assistant('Fine.')])
    expect([other.wasAsked([user('I live on Mars.')]), other.newest.asked]).toEqual([false, undefined])
    turns.begin([...prompt, user('Next')], 0)
    expect(turns.wasAsked([user('I live on Mars.')])).toBe(false)
  })

  it('is not the turn’s own prompt, though it passes on the same words', () => {
    const turns = new OpenTurns({ turnOpen: false })
    turns.begin(prompt, 0)
    turns.noteAsked(['Look into it'])
    expect(turns.wasAsked([...prompt, assistant(''), toolResult])).toBe(false)
  })

  it('is limited', () => {
    const turns = new OpenTurns({ turnOpen: false })
    turns.begin(prompt, 0)
    turns.noteAsked(Array.from({ length: 500 }, (_, at) => `question ${at}`))
    expect([turns.newest.asked?.length, turns.wasAsked([user('question 499')])]).toEqual([100, true])
  })
})

describe('a turn whose message has an id', () => {
  const first: TurnMessage = { ...user('yes'), id: 'm1' }
  const second: TurnMessage = { ...user('yes'), id: 'm2' }
  const prompt = [first, assistant('Go on?'), second]

  const afterBoth = () => {
    const turns = new OpenTurns({ turnOpen: false })
    const finishedKeys: string[] = []
    for (const each of [[first], prompt]) {
      expect(turns.begin(each, 2)).toBe(true)
      const turn = turns.finish([...each, assistant('Go on?')])
      finishedKeys.push(...turns.noteFinished(turn ? [turn] : []))
    }
    return { turns, finishedKeys }
  }

  it('is not begun again by another answer to it, on whichever branch, in another process too', () => {
    const { turns: here, finishedKeys } = afterBoth()
    for (const turns of [here, new OpenTurns({ turnOpen: false, finishedKeys })]) {
      for (const each of [[first], prompt, [second]]) expect(turns.begin(each, 2)).toBe(false)
      expect(turns.begin([first, assistant('Go on?'), { ...user('no'), id: 'm3' }], 2)).toBe(true)
    }
  })

  it('is one of the newest hundred that are recognised, as in another process', () => {
    const turns = new OpenTurns({ turnOpen: false })
    const said = (turn: number): readonly TurnMessage[] => [user('a'), assistant('b'), { ...user(`question ${turn}`), id: `m${turn}` }]
    for (let turn = 1; turn <= 101; turn++) {
      turns.begin(said(turn), 2)
      const finished = turns.finish([...said(turn), assistant('Yes.')])
      turns.noteFinished(finished ? [finished] : [])
    }
    expect([1, 2].map((turn) => turns.begin(said(turn), 2))).toEqual([true, false])
  })

  it('is another one if its text was changed', () => {
    expect(afterBoth().turns.begin([{ ...first, text: 'no' }], 2)).toBe(true)
  })

  it('does not finish another turn that is open', () => {
    const { turns } = afterBoth()
    turns.begin([...prompt, assistant('Go on?'), user('Deploy')], 2)
    expect(turns.finish([first, assistant('Something else.')])).toBeUndefined()
    expect(turns.finish([...prompt, assistant('Go on?'), user('Deploy'), assistant('Done.')])).toBeDefined()
  })

  it.each([null, {}, Symbol('m1'), 1])('has none if a host without types passes something else: %s', (id) => {
    const turns = new OpenTurns({ turnOpen: false })
    const said = { ...user('go on'), id } as unknown as TurnMessage
    for (const each of [[said], [said, assistant('Done.'), said]]) {
      expect(turns.begin(each, 2)).toBe(true)
      const turn = turns.finish([...each, assistant('Done.')])
      expect(turns.noteFinished(turn ? [turn] : [])).toEqual([])
    }
  })

  it('has a key that other versions find again', () => expect(afterBoth().finishedKeys[0]).toBe('476da5fc09bc5dc7'))

  it('is regenerated also by a host that makes a new id in every run', () => {
    expect(afterBoth().turns.begin([{ ...first, id: 'm3' }, assistant('Go on?'), { ...second, id: 'm4' }], 2)).toBe(false)
  })
})

describe('the key of a turn', () => {
  it('is the number of messages, the words, and what was said before them', () => {
    const key = turnKeyOf([user('go on')])
    // Records hold it: another version has to find the same.
    expect(key).toBe('1:2aba8b0ca3cd6abb:488bdcb81aee8d83')
    expect(turnKeyOf([assistant(''), user('go on')])).toBe(key)
    expect(turnKeyOf([toolResult, user('go on')])).toBe(key)
    expect(turnKeyOf([assistant('One.'), user('go on')])).not.toBe(key)
    expect(turnKeyOf([assistant('One.'), user('go on')])).not.toBe(turnKeyOf([assistant('Two.'), user('go on')]))
    expect(turnKeyOf([assistant('One.'), assistant(''), toolResult, user('go on')])).toBe(turnKeyOf([assistant('One.'), user('go on')]))
  })
})

describe('the turns before the newest', () => {
  it('have what the host showed before each', () => {
    const greeting = assistant('Welcome.')
    const first = [user('a'), assistant('A')]
    const second = [user('b'), toolResult, assistant('B')]
    expect(turnsBeforeLast([greeting, ...first, ...second, user('c')])).toEqual([
      { messages: first, worked: false, before: [greeting] },
      { messages: second, worked: false, before: [greeting, ...first] },
    ])
    expect(turnsBeforeLast([greeting, user('a')])).toEqual([])
  })
})

/** Messages of hosts without types. */
const message = { role: 'user', text: 'Hello' }

it.each([
  [true, []],
  [true, [message, { role: 'assistant', text: '' }, { role: 'tool', text: 'x', toolNames: ['a', 'b'] }]],
  [true, [{ ...message, toolNames: [] }]],
  [false, undefined],
  [false, message],
  [false, 'Hello'],
  [false, [message, undefined]],
  [false, [null]],
  [false, ['Hello']],
  [false, [7, message]],
  [false, [{ text: 'Hello' }]],
  [false, [{ role: 'system', text: 'Hello' }]],
  [false, [{ role: 'user' }]],
  [false, [{ role: 'user', text: 7 }]],
  [false, [{ ...message, toolNames: 'a' }]],
  [false, [{ ...message, toolNames: ['a', 7] }]],
])('%s: %j', (areValid, value) => {
  expect(areMessages(value)).toBe(areValid)
})
