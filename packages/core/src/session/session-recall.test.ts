/** When the memory provider is asked, and what each call is sent. The bytes that stay the same are tested with whole sessions. */
import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { fenceContext } from '../provider/context-fence.ts'
import type { LazySession } from './lazy-session.ts'
import { MAX_RECALLED_CHARS, RECALLED_PLACEHOLDER, type RecalledTurn } from './recalled-turns.ts'
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
    home: {
      provider: 'provider' in deps ? undefined : provider,
      options: { recallChars },
      clock: () => 5,
      emit: (event: { readonly chars?: number }) => full.push(event.chars ?? -1),
    },
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

  it('asks nothing if the user said nothing of their own', async () => {
    const { recall, asked, started } = open()
    expect(await recall([user('```\ncode\n```')])).toEqual([])
    expect([asked, started]).toEqual([[], []])
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

  it('asks again for the words of a turn that has begun and is begun anew', async () => {
    const { recall, turnBegan, asked, recalled } = open()
    const prompt = [user('go on')]
    await recall(prompt)
    turnBegan(prompt)
    recalled.length = 0
    await recall(prompt)
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
  const waiting = (prompt: readonly TurnMessage[]) => {
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const home = open({ isOpen: false })
    const slow = open({ isOpen: false, deps: { whenOpen: () => gate.then(() => undefined) } })
    return { home, slow, sent: slow.recall(prompt), letGo: () => letGo() }
  }

  it.each([
    ['alone', [user('hello')], ['hello']],
    ['with a file', [user('hello'), { ...user('a file'), outside: true }], ['hello']],
    ['behind an answer', [assistant('hi'), user('hello')], []],
    ['behind another message', [user('hi'), user('hello')], []],
  ])('asks before the storage answers: %s', async (_, prompt, asked) => {
    const { slow, sent, letGo } = waiting(prompt)
    await turnOfTheLoop()
    expect(slow.asked).toEqual(asked)
    letGo()
    expect(await sent).toEqual([])
  })

  it('asks once', async () => {
    const { home } = waiting([user('hello')])
    expect(await home.recall([user('hello')])).toEqual([{ index: 0, text: fence('fact about hello') }])
    expect(home.asked).toEqual(['hello'])
  })

  it('asks again for the same words after a turn that was reported', async () => {
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { recall, turnBegan, asked } = open({ isOpen: false, deps: { whenOpen: () => gate.then(() => undefined) } })
    const calls = [recall([user('hello')]), recall([user('hello')])]
    turnBegan([user('hello')])
    calls.push(recall([user('hello')]))
    await turnOfTheLoop()
    letGo()
    await Promise.all(calls)
    expect(asked).toEqual(['hello', 'hello'])
  })

  it('waits for the storage if the session is open: it may have been said before', async () => {
    const { recall, asked } = open({ isOpen: true, deps: { whenOpen: async () => undefined } })
    expect(await recall([user('hello')])).toEqual([])
    expect(asked).toEqual([])
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

  it('recalls up to the limit itself', async () => {
    const { asked, full } = await fill(1_000)
    expect(asked).toEqual(['hello', 'more'])
    expect(full).toEqual([MAX_RECALLED_CHARS - 1_000 + 'fact about more'.length])
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

  it('are not looked up for the first prompt, whose record was just read', async () => {
    const { recall, reloads } = open()
    await recall(first)
    expect(reloads()).toBe(0)
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

  it('for what are no messages', async () => {
    const { recall, crashes } = open()
    expect(await recall('hello' as never)).toEqual([])
    expect(crashes).toEqual([])
  })

  it('after a defect, which is reported', async () => {
    const defect = new Error('a defect')
    const { recall, crashes } = open({ deps: { whenOpen: () => Promise.reject(defect) } })
    expect(await recall(hello)).toEqual([])
    expect(crashes).toEqual([defect])
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

  it('is the prompt itself before the session is open', () => {
    const { seen } = open({ isOpen: false })
    expect(seen([user('hello')])).toEqual([user('hello')])
  })
})
