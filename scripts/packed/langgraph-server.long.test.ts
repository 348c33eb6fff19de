/** A LangGraph server with memory: two graphs, custom auth, its development server from npm and the packed packages, driven by its own client. */
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHermesHomes } from '../../packages/core/src/index.ts'
import { fileSystemBackend } from '../../packages/core/src/storage/files/index.ts'
import { installApp, type LangGraphServer, type RunPayload, startServer } from './langgraph-server.ts'
import type { Reader } from './reader.ts'

const ROOT = join(import.meta.dirname, '../..')
const GRAPHS = ['react_agent', 'agent'] as const
/** How long a review that was stopped with its process counts as running. */
const READ_AFTER_MS = 61_000

const mock = new LLMock({ port: 0, strict: true })
let reader: Reader
let server: LangGraphServer
/** Answers under way, which the mock lists only when they are given. */
const waiting = { slow: 0, review: 0 }
let mayReview = false

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

const proposal = (content: string) => ({ target: 'user', op: { action: 'add', content }, rationale: 'said so', score: 0.9, evidence: [] })

/** A model that believes whatever it reads, the person or a page. */
const believing = (request: Asked): string => {
  const read = JSON.stringify(request.messages.at(-1)?.content)
  const proposals = ['Lisbon', 'Oslo'].filter((city) => read.includes(city)).map((city) => proposal(`Lives in ${city}.`))
  return JSON.stringify({ proposals })
}

const isReview = ({ messages }: Asked): boolean => JSON.stringify(messages.at(-1)?.content).includes('<conversation>')

const answerAll = (): void => {
  const waitsAs = async (kind: keyof typeof waiting, isDone: () => boolean) => {
    waiting[kind]++
    const since = Date.now()
    while (!isDone() && Date.now() - since < 60_000) await new Promise((resolve) => setTimeout(resolve, 50))
    waiting[kind]--
  }
  mock.on({ predicate: isReview }, async (request) => {
    await waitsAs('review', () => mayReview)
    return { content: believing(request as unknown as Asked) }
  })
  const call = (name: string, input: object) => ({ toolCalls: [{ name, arguments: JSON.stringify(input) }] })
  const note = { target: 'user', action: 'add', content: 'Prefers tabs.' }
  mock.on({ userMessage: /Remember that I prefer tabs/, hasToolResult: false }, call('memory', note))
  mock.on({ userMessage: /Search/, hasToolResult: false }, call('search', { query: 'tabs' }))
  mock.on({ userMessage: /Deploy/, hasToolResult: false }, call('deploy', { version: '7' }))
  mock.on({ userMessage: /Slow/, hasToolResult: false }, async () => {
    const since = Date.now()
    await waitsAs('slow', () => Date.now() - since > 2_000)
    return { content: 'At last.' }
  })
  mock.on({ userMessage: /./ }, { content: 'Fine.' })
}

const asked = () => mock.getRequests().flatMap(({ body }) => (body ? [body as unknown as Asked] : []))
const reviews = () => asked().filter(isReview)

/** The system prompt of the newest call for an answer. */
const systemPrompt = (): string => {
  const { messages = [] } = asked().findLast((request) => !isReview(request)) ?? {}
  return messages.flatMap(({ role, content }) => (role === 'system' || role === 'developer' ? [JSON.stringify(content)] : [])).join()
}

const input = (content: string): RunPayload => ({ input: { messages: [{ role: 'user', content }] } })

const threadOf = async (user: string): Promise<string> => (await server.as(user).threads.create()).thread_id

const say = (user: string, graph: string, thread: string, text: string, payload: RunPayload = {}) =>
  server.as(user).runs.wait(thread, graph, { ...input(text), ...payload })

/** Turns that no review has read. Waits until what is behind the turns is saved. */
const expectUnread = (user: string, turns: number) =>
  expect
    .poll(async () => {
      const homes = createHermesHomes({ storage: fileSystemBackend(join(reader.folder, 'memory')) })
      const due = await homes.for(user).reviewDue()
      await homes.close()
      return due.ok ? due.value.unreadTurns : due.error
    })
    .toBe(turns)

const start = () => startServer(reader, { OPENAI_API_KEY: 'local', OPENAI_BASE_URL: `${mock.url}/v1` })

beforeAll(async () => {
  answerAll()
  await mock.start()
  reader = await installApp()
  // A home that cannot be written.
  await mkdir(join(reader.folder, 'memory/homes/~none'), { recursive: true })
  await writeFile(join(reader.folder, 'memory/homes/~none/erin'), 'not a folder')
  server = await start()
}, 300_000)

afterAll(async () => {
  mayReview = true
  await server.kill()
  await mock.stop()
})

it('is wired as docs/langchain.md says, and compiles with the types of the packages', async () => {
  const page = await readFile(join(ROOT, 'docs/langchain.md'), 'utf8')
  const [, block = ''] = /## On a LangGraph server[\s\S]*?```ts\n([\s\S]*?)```/.exec(page) ?? []
  const graph = (await readFile(join(reader.folder, 'src/react_agent/graph.ts'), 'utf8')).split('\n').map((line) => line.trim())
  expect(block.split('\n').filter((line) => !graph.includes(line))).toEqual([])
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  await reader.execute(process.execPath, [tsc, '-p', '.', '--checkers', '1'])
})

const testGraph = (graph: (typeof GRAPHS)[number]): void => {
  it('shows what one thread taught in the next, to its person alone, whomever a client names', async () => {
    const [alice, bob] = [`alice_${graph}`, `bob_${graph}`]
    const first = await threadOf(alice)
    await say(alice, graph, first, 'Remember that I prefer tabs')
    const prompt = systemPrompt()
    await say(alice, graph, first, 'Hello')
    expect([systemPrompt(), prompt.includes('Prefers tabs.')]).toEqual([prompt, false])
    await say(alice, graph, await threadOf(alice), 'Hello')
    expect(systemPrompt()).toContain('Prefers tabs.')
    await expectUnread(alice, 3)

    await say(bob, graph, await threadOf(bob), 'Hello')
    const configurable = { user_id: alice, langgraph_auth_user: { identity: alice }, langgraph_auth_user_id: alice }
    const { assistant_id } = await server.as(bob).assistants.create({ graphId: graph, config: { configurable } })
    for (const [assistant, payload] of [
      [graph, { config: { configurable } }],
      [graph, { context: { user_id: alice } }],
      [assistant_id, {}],
    ] as const) {
      await say(bob, assistant, await threadOf(bob), 'Remember that I prefer tabs', payload)
      expect(systemPrompt()).not.toContain('Prefers tabs.')
    }
    await expect(say(bob, graph, first, 'Hello')).rejects.toThrow('404')
    await Promise.all([expectUnread(alice, 3), expectUnread(bob, 1)])
    expect(await readFile(join(reader.folder, 'memory/homes/~none', alice, 'memories/USER.md'), 'utf8')).toBe('Prefers tabs.')
  })

  it('counts a turn once, however it is answered', async () => {
    const user = `carol_${graph}`
    const { threads, runs } = server.as(user)
    const thread = await threadOf(user)
    for (const text of ['One', 'Two', 'Three']) await say(user, graph, thread, text)
    const history = await threads.getHistory(thread, { limit: 50 })
    const checkpointAt = (text: string, next: RegExp) =>
      history.find(({ values, next: [node = ''] }) => values.messages?.at(-1)?.content === text && next.test(node))?.checkpoint
    // The same words answered again, then other words on a branch of their own.
    for (const text of ['Three', 'Two', 'One'])
      await runs.wait(thread, graph, { input: null, checkpoint: checkpointAt(text, /^(callModel|model_request)$/) })
    await expectUnread(user, 3)
    const afterOne = history.find(({ values, next }) => values.messages?.length === 2 && next.length === 0)?.checkpoint
    await say(user, graph, thread, 'Another two', { checkpoint: afterOne })
    await expectUnread(user, 4)

    const approving = await threadOf(user)
    const { __interrupt__: interrupts } = await say(user, graph, approving, 'Deploy it')
    expect(interrupts).toHaveLength(1)
    await expectUnread(user, 4)
    await runs.wait(approving, graph, { command: { resume: { approved: true } } })
    await expectUnread(user, 5)

    const streamed = await threadOf(user)
    for await (const _ of runs.stream(streamed, graph, { ...input('Streamed'), streamMode: 'messages-tuple' }));
    await runs.join(streamed, (await runs.create(streamed, graph, input('In the background'))).run_id)
    await expectUnread(user, 7)
    await runs.wait(null, graph, input('Without a thread of its own'))
    await expectUnread(user, 8)
  })

  it('counts what was finished of runs that meet in a thread', async () => {
    const user = `dave_${graph}`
    const { runs } = server.as(user)
    /** Begins a slow run, and does something meanwhile. Returns how the slow one ended. */
    const meanwhile = async (work: (thread: string, run: string) => Promise<unknown>): Promise<string> => {
      const thread = await threadOf(user)
      const { run_id: run } = await runs.create(thread, graph, input('Slow'))
      await expect.poll(() => waiting.slow, { timeout: 10_000 }).toBe(1)
      await work(thread, run)
      await runs.join(thread, run)
      await expect.poll(() => waiting.slow, { timeout: 10_000 }).toBe(0)
      return (await runs.get(thread, run)).status
    }
    const cancel = (action: 'interrupt' | 'rollback') => (thread: string, run: string) => runs.cancel(thread, run, true, action)
    const then = (multitaskStrategy: RunPayload['multitaskStrategy']) => (thread: string) =>
      say(user, graph, thread, 'Quick', { multitaskStrategy })
    await meanwhile(cancel('interrupt'))
    await meanwhile(cancel('rollback'))
    await expectUnread(user, 0)
    await meanwhile((thread) => expect(then('reject')(thread)).rejects.toThrow('422'))
    await expectUnread(user, 1)
    await meanwhile(then('enqueue'))
    await expectUnread(user, 3)
    await meanwhile(then('interrupt'))
    await expectUnread(user, 4)
    await meanwhile(then('rollback'))
    await expectUnread(user, 5)
  })

  it('answers where memory cannot be written', async () => {
    const thread = await threadOf('erin')
    const { messages } = (await say('erin', graph, thread, 'Hello')) as { readonly messages?: readonly unknown[] }
    expect(messages).toHaveLength(2)
  })
}

describe('a server that is loaded again, and stopped during a review,', () => {
  const [user, graph] = ['frank', 'agent']
  let stoppedAt = 0

  it('moves no byte of a prompt and loses no turn', async () => {
    const thread = await threadOf(user)
    await say(user, graph, thread, 'I live in Lisbon')
    const prompt = systemPrompt()
    await say(user, graph, thread, 'Search for me')
    for (let turn = 3; turn <= 5; turn++) await say(user, graph, thread, `Turn ${turn}`)
    await server.reload(() => utimes(join(reader.folder, 'src/hermes.ts'), new Date(), new Date()))
    for (let turn = 6; turn <= 10; turn++) await say(user, graph, thread, `Turn ${turn}`)
    expect(systemPrompt()).toBe(prompt)
    await expect.poll(() => waiting.review, { timeout: 10_000 }).toBe(1)
    stoppedAt = Date.now()
    await server.stop()
    server = await start()
    await expectUnread(user, 10)
    await say(user, graph, thread, 'Turn 11')
    expect(systemPrompt()).toBe(prompt)
    await expectUnread(user, 11)
  })

  describe.each(GRAPHS)('meanwhile the graph %s', testGraph)

  it('reads each turn once, and takes no page for the words of its person', async () => {
    mayReview = true
    // Until then the review may be running in another process.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, stoppedAt + READ_AFTER_MS - Date.now())))
    await say(user, graph, await threadOf(user), 'Turn 12')
    await expectUnread(user, 0)
    const [stopped, ownWords, everything, ...more] = reviews().map(({ messages }) => JSON.stringify(messages))
    expect([stopped, ...more]).toHaveLength(1)
    for (let turn = 3; turn <= 12; turn++) expect(ownWords?.split(`Turn ${turn}\\`)).toHaveLength(2)
    expect([ownWords?.includes('Oslo'), everything?.includes('Oslo')]).toEqual([false, true])
    expect(await readFile(join(reader.folder, 'memory/homes/~none', user, 'memories/USER.md'), 'utf8')).toBe('Lives in Lisbon.')
    await say(user, graph, await threadOf(user), 'Hello')
    expect(systemPrompt()).toContain('Lives in Lisbon.')
  })
})
