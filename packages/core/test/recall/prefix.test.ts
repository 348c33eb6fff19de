import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { assistant, openHome, remember, user } from '../session/open-home.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { callModel, recordingProvider, type SentCall, say } from './recording-provider.ts'

const FENCE = /<memory-context>\n\[System note: .*\]\n\n(.*)\n<\/memory-context>/s

const factIn = (message = ''): string | undefined => FENCE.exec(message)?.[1]

/** Every message that two calls of a conversation both show was sent with the same bytes. */
const expectSamePrefix = (calls: readonly SentCall[]) => {
  for (const [at, { block, messages }] of calls.entries()) {
    const before = calls[at - 1]
    if (!before) continue
    expect(block).toBe(before.block)
    expect(messages.slice(0, before.messages.length)).toEqual(before.messages)
  }
}

const open = (storage: StorageBackend, provider = recordingProvider(), keepText = true) => {
  const home = openHome(storage, { memory: { provider }, sessions: { keepText } })
  return { ...home, provider }
}

describe.each([
  ['in memory', () => inMemoryBackend()],
  ['in files', () => fileSystemBackend(temporaryFolder())],
])('recalled text, %s', (_, createStorage) => {
  it('keeps the system prompt and the prefix of the messages over 50 turns', async () => {
    const storage = createStorage()
    await remember(storage, 'Repo builds with pnpm')
    const { hermes, provider } = open(storage, recordingProvider({}, { systemPromptBlock: 'Ask session_search for the past.' }))
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    const calls: SentCall[] = []
    for (let turn = 1; turn <= 50; turn++) {
      // Some messages repeat.
      calls.push(await say(session, history, turn % 3 === 0 ? 'ok' : `question ${turn}`))
      if (turn % 10 === 0) await remember(storage, `Written after turn ${turn}`)
    }
    expectSamePrefix(calls)
    expect(calls[0]?.block).toMatch(/Repo builds with pnpm(.|\n)*\n\nAsk session_search for the past\.$/)
    expect(calls.at(-1)?.messages.filter((text) => factIn(text) !== undefined)).toHaveLength(provider.of('prefetch').length)
    expect(await hermes.sessions.nextBlock(false)).toMatch(/Written after turn 50(.|\n)*\n\nAsk session_search for the past\.$/)
    expect(history.every(({ text }) => !text.includes('memory-context'))).toBe(true)
    await hermes.close()
  })

  it('keeps them with a process for each turn', async () => {
    const storage = createStorage()
    const history: TurnMessage[] = []
    const calls: SentCall[] = []
    for (let turn = 1; turn <= 12; turn++) {
      const { hermes } = open(storage, recordingProvider({ prefetch: async ({ text }) => `Process ${turn}: ${text}` }))
      calls.push(await say(hermes.session('one'), history, turn % 3 === 0 ? 'ok' : `question ${turn}`))
      await hermes.settled()
    }
    expectSamePrefix(calls)
    expect(
      calls
        .at(-1)
        ?.messages.filter((_text, index) => index % 2 === 0)
        .map(factIn),
    ).toEqual(Array.from({ length: 12 }, (_each, at) => `Process ${at + 1}: ${(at + 1) % 3 === 0 ? 'ok' : `question ${at + 1}`}`))
  })
})

describe('recalled text', () => {
  it('is the same in two processes that take turns in a session', async () => {
    const storage = inMemoryBackend()
    const processes = ['A', 'B'].map((name) => open(storage, recordingProvider({ prefetch: async ({ text }) => `${name} on ${text}` })))
    const history: TurnMessage[] = []
    const calls: SentCall[] = []
    for (let turn = 1; turn <= 12; turn++) {
      const { hermes } = processes[turn % 3 === 0 ? 0 : 1] as (typeof processes)[number]
      calls.push(await say(hermes.session('one'), history, `question ${turn}`))
      await hermes.settled()
    }
    expectSamePrefix(calls)
    expect(calls.at(-1)?.messages.filter((text) => factIn(text) !== undefined)).toHaveLength(12)
  })

  it('asks once for a turn, and shows the answer in its steps, retries and regenerations', async () => {
    const { hermes, provider } = open(inMemoryBackend())
    const session = hermes.session('one')
    const prompt = [user('which port?')]
    const first = await callModel(session, prompt, [{ ...assistant(''), toolNames: ['look'] }], { turnFinished: false, calledTools: true })
    const retried = await callModel(session, prompt, [{ ...assistant(''), toolNames: ['look'] }], {
      turnFinished: false,
      calledTools: true,
    })
    const step = [...prompt, { ...assistant(''), toolNames: ['look'] }, { role: 'tool', text: '8080', toolNames: ['look'] } as const]
    const next = await callModel(session, step, [assistant('8080')])
    const again = await callModel(session, step.slice(0, 1), [assistant('It is 8080')])
    expect(factIn(first.messages[0])).toBe('Fact 1 about: which port?')
    expect([retried, next, again].map(({ messages }) => messages[0])).toEqual(Array.from({ length: 3 }, () => first.messages[0]))
    expect(provider.of('prefetch')).toHaveLength(1)
    expect(provider.of('onTurnStart')).toHaveLength(1)
  })

  it('shows the same text behind a window, also of repeated messages', async () => {
    const { hermes } = open(inMemoryBackend())
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    const sent = new Map<number, string>()
    for (let turn = 1; turn <= 20; turn++) {
      const { messages } = await say(session, history, turn % 2 === 0 ? 'ok' : 'go on', 7)
      const from = history.length - 1 - messages.length
      for (const [index, text] of messages.entries()) {
        if (sent.has(from + index)) expect(text).toBe(sent.get(from + index))
        sent.set(from + index, text)
      }
    }
    expect(new Set([...sent.values()].map(factIn).filter((fact) => fact !== undefined)).size).toBe(20)
  })

  it('gives a message that was sent without recalled text none later', async () => {
    let facts: readonly string[] = []
    const { hermes } = open(inMemoryBackend(), recordingProvider({ prefetch: async () => facts }))
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    await say(session, history, 'ok')
    facts = ['Likes tea']
    await say(session, history, 'ok')
    facts = []
    const third = await say(session, history, 'ok')
    expect(third.messages.map(factIn)).toEqual([undefined, undefined, 'Likes tea', undefined, undefined])
    const back = [...history.slice(0, 2), user('something else')]
    expect((await callModel(session, back, [assistant('fine')])).messages.map(factIn)).toEqual([undefined, undefined, undefined])
  })

  it('survives an edited history: what is before the edit keeps its bytes', async () => {
    const { hermes } = open(inMemoryBackend())
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    const first = await say(session, history, 'one')
    await say(session, history, 'two')
    const edited = [...history.slice(0, 2)]
    const sent = await say(session, edited, 'two, in other words')
    expect(sent.messages[0]).toBe(first.messages[0])
    expect(factIn(sent.messages[2])).toBe('Fact 3 about: two, in other words')
  })

  it('recalls no text that the conversation shows already, and recalls it again when it is out of sight', async () => {
    const known: unknown[] = []
    const { hermes } = open(inMemoryBackend(), recordingProvider({ prefetch: async () => ['Likes tea'] }))
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    const shown = async (window?: number) => (await say(session, history, `turn ${history.length}`, window)).messages.map(factIn)
    known.push(await shown(), await shown(), await shown(1))
    expect(known).toEqual([['Likes tea'], ['Likes tea', undefined, undefined], ['Likes tea']])
  })

  it('keeps its text in memory only if no text is stored: another process sends none', async () => {
    const storage = inMemoryBackend()
    const first = open(storage, recordingProvider(), false)
    const history: TurnMessage[] = []
    await say(first.hermes.session('one'), history, 'one')
    const calls = await say(first.hermes.session('one'), history, 'two')
    expect(calls.messages.map(factIn)).toEqual(['Fact 1 about: one', undefined, 'Fact 2 about: two'])
    await first.hermes.settled()
    const record = await readDocument(storage, 'sessions/one.json')
    expect(new TextDecoder().decode(record.ok ? record.value?.bytes : undefined)).not.toContain('Fact')
    const second = open(storage, recordingProvider(), false)
    expect((await say(second.hermes.session('one'), history, 'three')).messages.map(factIn)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'Fact 1 about: three',
    ])
  })

  it('stops at 64,000 characters of what the conversation shows, visibly, and goes on when the host shortens it', async () => {
    const { hermes, events, provider } = open(
      inMemoryBackend(),
      recordingProvider({ prefetch: async ({ text }) => text.padEnd(1_600, '.') }),
    )
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    for (let turn = 1; turn <= 43; turn++) await say(session, history, `turn ${turn}`)
    expect(provider.of('prefetch')).toHaveLength(40)
    expect(events.filter(({ type }) => type === 'recall-full')).toMatchObject([{ sessionId: 'one', chars: 64_000 }])
    expect(factIn((await say(session, history, 'later', 9)).messages.at(-1))).toContain('later')
  })

  it('asks with the user’s own words alone, and not for a message without any', async () => {
    const { hermes, provider } = open(inMemoryBackend())
    const session = hermes.session('one')
    await callModel(session, [user('What is this?\n```\nsecret page\n```')], [assistant('A page.')])
    await callModel(session, [user('hi'), assistant('hello'), { ...user('a file'), outside: true }, user('> quoted')], [assistant('ok')])
    expect(provider.of('prefetch').map(({ text }) => text)).toEqual(['What is this?'])
  })

  it('recalls nothing for a run inside a tool', async () => {
    const { hermes, provider } = open(inMemoryBackend())
    const session = hermes.session('one')
    const prompt = [user('please plan my trip to Oslo')]
    const { noteToolCall, end } = await (await import('../../src/adapter/model-call.ts')).beginModelCall(
      { session, offering: [] },
      { prompt },
    )
    noteToolCall({ id: 'c1', name: 'research', input: { question: 'What is the weather in Oslo in May?' } })
    end({ turnFinished: false, calledTools: true, reply: [{ ...assistant(''), toolNames: ['research'] }] })
    const nested = await callModel(session, [user('What is the weather in Oslo in May?')], [assistant('mild')])
    const known = await callModel(session, [user('anything')], [assistant('fine')], {}, { nested: true })
    expect([...nested.messages, ...known.messages].map(factIn)).toEqual([undefined, undefined])
    expect(provider.of('prefetch')).toHaveLength(1)
  })

  it('asks once if the same turn is sent twice at a time', async () => {
    const { hermes, provider } = open(inMemoryBackend())
    const session = hermes.session('one')
    const both = await Promise.all([callModel(session, [user('hi')], [assistant('a')]), callModel(session, [user('hi')], [assistant('b')])])
    expect(both.map(({ messages }) => factIn(messages[0]))).toEqual(['Fact 1 about: hi', 'Fact 1 about: hi'])
    expect(provider.of('prefetch')).toHaveLength(1)
  })

  it('asks again with each turn of a host that keeps no history', async () => {
    const { hermes } = open(inMemoryBackend())
    const session = hermes.session('one')
    const facts: unknown[] = []
    for (const text of ['hello', 'and now?', 'news?', 'news?', 'news?'])
      facts.push(factIn((await callModel(session, [user(text)], [assistant('Nothing.')])).messages[0]))
    expect(facts.slice(2)).toEqual(['Fact 3 about: news?', 'Fact 4 about: news?', 'Fact 5 about: news?'])
  })
})
