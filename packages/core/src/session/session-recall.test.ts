/** When the memory provider is asked, and what each call is sent. The bytes that stay the same are tested with whole sessions. */
import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { fenceContext } from '../provider/context-fence.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import type { LazySession } from './lazy-session.ts'
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
import type { SessionContext } from './session-context.ts'
import { SessionRecall } from './session-recall.ts'
import type { SessionState } from './session-state.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })

interface Options {
  readonly recallChars?: number
  readonly isOpen?: boolean
  readonly known?: readonly RecalledTurn[]
  readonly answer?: (text: string) => Promise<readonly string[]>
  readonly deps?: {
    readonly provider?: undefined
    readonly whenOpen?: () => Promise<SessionState | undefined>
    readonly nesting?: Pick<SessionContext['nesting'], 'wouldNest'>
    readonly inTime?: (work: Promise<unknown>) => Promise<unknown>
  }
}

const open = ({ recallChars = 1_000, isOpen = true, known = [], answer, deps = {} }: Options = {}) => {
  const asked: string[] = []
  const started: unknown[] = []
  const shown: (readonly string[])[] = []
  const full: number[] = []
  const crashes: unknown[] = []
  const recalled: RecalledTurn[] = [...known]
  const begun = new Set<string>()
  const keyOf = (prompt: readonly TurnMessage[]) => prompt.map(({ text }) => text).join('|')
  let opened = isOpen
  let reloads = 0
  const store = {
    recalled,
    startsTurn: (prompt: readonly TurnMessage[]) => !begun.has(keyOf(prompt)),
    noteRecalled: (turn: RecalledTurn) => recalled.push(turn),
    reloadRecalled: async () => {
      reloads++
    },
  } as unknown as SessionState
  const provider = {
    turnStarted: (turn: unknown) => started.push(turn),
    recall: async ({ text, known: seen }: { readonly text: string; readonly known: ReadonlySet<string> }) => {
      asked.push(text)
      shown.push([...seen])
      return answer ? answer(text) : [`fact about ${text}`]
    },
  }
  const context = {
    id: 'one',
    place: { sessionId: 'one' },
    home: {
      options: { recallChars },
      clock: () => 5,
      emit: (event: { readonly chars?: number }) => full.push(event.chars ?? -1),
    },
    provider: 'provider' in deps ? undefined : provider,
    nesting: deps.nesting ?? { wouldNest: () => false },
    inTime: (_operation: string, work: Promise<unknown>) => (deps.inTime ? deps.inTime(work) : work),
    crashed: (cause: unknown) => crashes.push(cause),
  } as unknown as SessionContext
  const whenOpen = async () => {
    opened = true
    return store
  }
  const session = new SessionRecall(context, {
    get state() {
      return opened ? store : undefined
    },
    whenOpen: deps.whenOpen ?? whenOpen,
  } as LazySession)
  const begin = (prompt: readonly TurnMessage[]) => {
    begun.add(keyOf(prompt))
    session.turnBegan(prompt)
  }
  const recall = (...given: Parameters<SessionRecall['recall']>) => session.recall(...given)
  const turnBegan = (prompt: readonly TurnMessage[]) => session.turnBegan(prompt)
  const seen = (messages: readonly TurnMessage[]) => session.seen(messages)
  return { recall, turnBegan, seen, begin, asked, started, shown, full, crashes, recalled, reloads: () => reloads }
}

const fence = (text: string) => fenceContext(text)

describe('a call that begins a turn', () => {
  it('is sent what the provider knows about the user’s words', async () => {
    const { recall, asked, started, recalled } = open()
    expect(await recall([user(' which port? ')])).toEqual([{ index: 0, text: fence('fact about which port?') }])
    expect(asked).toEqual(['which port?'])
    expect(started).toEqual([{ sessionId: 'one', text: 'which port?' }])
    expect(recalled).toMatchObject([{ number: 1, texts: ['fact about which port?'] }])
    expect(recalled[0]).not.toHaveProperty('known')
  })

  it('joins several texts in one fence, and has none without a text', async () => {
    const two = open({ answer: async () => ['one', 'two'] })
    expect(await two.recall([user('hello')])).toEqual([{ index: 0, text: fence('one\n\ntwo') }])
    const none = open({ answer: async () => [] })
    expect(await none.recall([user('hello')])).toEqual([])
    const blank = open({ answer: async () => ['  '] })
    expect(await blank.recall([user('hello')])).toEqual([])
  })

  it('asks with the words of the newest turn alone, without what is quoted, pasted or blank', async () => {
    const { recall, asked } = open()
    const file: TurnMessage = { role: 'user', text: 'a file', outside: true }
    await recall([user('before'), assistant('ok'), user('see\n```\ncode\n```\nwhat is it'), file, user(' '), user('and why')])
    expect(asked).toEqual(['see\nwhat is it\nand why'])
  })

  it('tells the provider, and asks and keeps nothing, if nothing is to be recalled', async () => {
    const { recall, asked, started, recalled } = open({ recallChars: 0 })
    expect(await recall([user('hello')])).toEqual([])
    expect([asked, recalled]).toEqual([[], []])
    expect(started).toHaveLength(1)
  })

  it('asks once, however often it is repeated before it begins, and again for the same words in a later turn', async () => {
    const { recall, begin, asked } = open()
    const prompt = [user('go on')]
    const [one, two] = await Promise.all([recall(prompt), recall(prompt)])
    expect(two).toEqual(one)
    await recall([...prompt])
    expect(asked).toHaveLength(1)
    begin(prompt)
    const next = [...prompt, assistant('done'), user('go on')]
    await recall(next)
    expect(asked).toHaveLength(2)
  })

  it('does not ask again what is known of the same message at the same place', async () => {
    const { recall, turnBegan, asked } = open()
    const first = [user('hello')]
    await recall(first)
    turnBegan(first)
    const second = [...first, assistant('hi'), user('which port?')]
    const sent = await recall(second)
    turnBegan(second)
    expect(await recall(second)).toEqual(sent)
    expect(asked).toEqual(['hello', 'which port?'])
  })

  it('is not a turn without words of the user', async () => {
    const { recall, turnBegan, asked, recalled, crashes } = open()
    expect(await recall([assistant('hi')])).toEqual([])
    turnBegan([assistant('hi')])
    expect([asked, recalled, crashes]).toEqual([[], [], []])
  })
})

describe('a call inside a turn', () => {
  it('is sent what was recalled before, and asks nothing', async () => {
    const { recall, begin, asked } = open()
    const prompt = [user('hello')]
    const sent = await recall(prompt)
    begin(prompt)
    expect(await recall(prompt)).toEqual(sent)
    expect(asked).toHaveLength(1)
  })

  it('names to the provider what the prompt shows already', async () => {
    const { recall, begin, shown } = open()
    const prompt = [user('hello')]
    await recall(prompt)
    begin(prompt)
    await recall([...prompt, assistant('hi'), user('more')])
    expect(shown).toEqual([[], ['fact about hello']])
  })
})

/** The code that finds the user's own words is loaded with the first question. */
const turnOfTheLoop = async () => {
  await import('../proposal/own-words.ts')
  await new Promise((resolve) => setImmediate(resolve))
}

describe('the first message of a conversation', () => {
  it('is no question before the storage has said whose the session is', async () => {
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { recall, asked, started } = open({ isOpen: false, deps: { whenOpen: () => gate.then(() => undefined) } })
    const sent = recall([user('hello')])
    await turnOfTheLoop()
    expect([asked, started]).toEqual([[], []])
    letGo()
    expect(await sent).toEqual([])
    expect([asked, started]).toEqual([[], []])
  })

  it('is asked about once', async () => {
    const { recall, asked } = open({ isOpen: false })
    expect(await recall([user('hello')])).toEqual([{ index: 0, text: fence('fact about hello') }])
    expect(asked).toEqual(['hello'])
  })
})

describe('a conversation that is full of recalled text', () => {
  const long = 'x'.repeat(MAX_RECALLED_CHARS - 1_000)
  const fill = async (recallChars: number) => {
    const home = open({ recallChars, answer: async (text) => (text === 'hello' ? [long] : [`fact about ${text}`]) })
    const prompt: TurnMessage[] = []
    const say = async (text: string) => {
      prompt.push(user(text))
      const given = [...prompt]
      await home.recall(given)
      home.begin(given)
      prompt.push(assistant('ok'))
    }
    for (const text of ['hello', 'more', 'and more']) await say(text)
    return home
  }

  it('recalls as long as there is room for what may be recalled', async () => {
    const { asked, full } = await fill(900)
    expect(asked).toEqual(['hello', 'more', 'and more'])
    expect(full).toEqual([])
  })

  it('recalls nothing more, and says so once', async () => {
    const { asked, full, recalled } = await fill(1_001)
    expect(asked).toEqual(['hello'])
    expect(full).toEqual([long.length])
    expect(recalled.map(({ texts }) => texts.length)).toEqual([1, 0, 0])
  })
})

describe('messages of another process', () => {
  const first = [user('hello'), assistant('hi'), user('which port?')]

  it('are looked up if the prompt shows some that this process has not seen', async () => {
    const { recall, begin, reloads } = open()
    await recall(first)
    begin(first)
    const next = [...first, assistant('8080'), user('from elsewhere'), assistant('ok'), user('and now?')]
    await recall(next)
    expect(reloads()).toBe(1)
    begin(next)
    await recall([...next, assistant('done'), user('fine')])
    expect(reloads()).toBe(1)
  })

  it('are waited for no longer than a turn may take', async () => {
    const waited: unknown[] = []
    const { recall } = open({
      deps: {
        inTime: async (work) => {
          waited.push(work)
        },
      },
    })
    await recall([user('hello')])
    await recall([user('other'), assistant('hi'), user('which port?')])
    expect(waited).toEqual([expect.any(Promise)])
  })
})

describe('nothing is recalled', () => {
  const hello = [user('hello')]

  it.each([
    ['without a provider', { provider: undefined }],
    ['in a session that runs without memory', { whenOpen: async () => undefined }],
    ['in a nested run', { nesting: { wouldNest: () => true } }],
  ])('%s', async (_, deps) => {
    const { recall, asked, crashes } = open({ deps })
    expect(await recall(hello)).toEqual([])
    expect([asked, crashes]).toEqual([[], []])
  })

  it.each([
    [undefined, undefined],
    [{}, undefined],
    [{ nested: false }, false],
    [{ nested: true }, true],
  ])('and the host may say that a run is nested: %o', async (about, expected) => {
    const asked: unknown[] = []
    const { recall } = open({
      deps: {
        nesting: {
          wouldNest: (_, nested) => {
            asked.push(nested)
            return true
          },
        },
      },
    })
    await recall(hello, about)
    expect(asked).toEqual([expected])
  })
})

describe('what is recorded of a prompt', () => {
  it('has a placeholder behind each message that was sent with recalled text', async () => {
    const { recall, seen } = open()
    const prompt = [user('hello')]
    await recall(prompt)
    expect(seen([...prompt, assistant('hi')])).toEqual([user('hello'), RECALLED_PLACEHOLDER, assistant('hi')])
  })
})

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

  const recalled = (count: number, ...texts: readonly string[]) => Array.from({ length: count }, () => ({ key: ':', texts }))
  it.each([
    ['none of 500', recalled(500, 'x'), 0],
    [
      'the oldest of those without texts, of more than 500',
      [...recalled(5, 'x'), ...recalled(20), ...recalled(485, 'x'), ...recalled(5)],
      0,
    ],
    ['the oldest of more than 500 that all have texts', recalled(520, 'x'), 20],
    ['as many more as there are characters above the limit', recalled(600, 'x'.repeat(1_000)), 536],
  ])('drops %s', (_, turns, oldest) => {
    const kept = boundRecalled(turns.map((turn, number): RecalledTurn => ({ ...turn, number })))
    expect([kept[0]?.number, kept.at(-1)?.number]).toEqual([oldest, turns.length - 1])
    expect(kept.length).toBe(Math.min(500, turns.length - oldest))
    expect(kept.findIndex(({ texts }) => texts.length === 0)).toBe(oldest === 0 && turns.length > 500 ? 5 : -1)
  })
})

describe('withPlaceholders', () => {
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
