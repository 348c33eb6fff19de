/** What one review leaves to the next: external text of short conversations, text that did not fit, and turns that became due meanwhile. */
import { expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { unwrap } from '../support/skill-library.ts'
import { openHome, user } from './open-home.ts'
import { recordingModel } from './recording-model.ts'

const found = (text: string): TurnMessage => ({ role: 'tool', text, toolNames: ['fetch'] })

const indexesOf = (read: readonly string[], part: string): readonly number[] =>
  read.flatMap((text, at) => (text.includes(part) ? [at] : []))

it('reads text from outside of short conversations once, when an interval of their turns has come together', async () => {
  const { hermes } = openHome(inMemoryBackend(), { nudge: { memoryInterval: 6, skillInterval: 0 } })
  const model = recordingModel()
  const talk = async (id: string) => {
    const session = hermes.session(id)
    session.recordTurn({ messages: [user(`look at ${id}`), found(`page of ${id}`)], model })
    for (const text of ['fine', 'thanks']) session.recordTurn({ messages: [user(text)], model })
    await session.end()
  }
  await talk('one')
  expect(indexesOf(model.read, 'look at one')).toEqual([0])
  expect(indexesOf(model.read, 'page of one')).toEqual([])
  await talk('two')
  for (const id of ['one', 'two']) expect(indexesOf(model.read, `page of ${id}`)).toEqual([model.read.length - 1])
})

it('leaves text from outside that finds no room to the next review, and no own words', async () => {
  const { hermes } = openHome(inMemoryBackend(), { nudge: { memoryInterval: 3, skillInterval: 0 } })
  const model = recordingModel()
  const say = async (id: string) => {
    const pages = Array.from({ length: 14 }, (_, at) => found(`${at === 0 ? `page of ${id}` : 'more'} ${'word '.repeat(380)}`))
    hermes.session(id).recordTurn({ messages: [user(`look at ${id}`), ...pages], model })
    await hermes.settled()
  }
  for (const id of ['one', 'two', 'three']) await say(id)
  const first = [...model.read]
  expect(first).toHaveLength(2)
  for (const id of ['one', 'two', 'three']) expect(indexesOf(first, `look at ${id}`)).toContain(0)
  expect(indexesOf(first, 'page of one')).toEqual([1])
  expect(indexesOf(first, 'page of three')).toEqual([])
  for (const id of ['four', 'five', 'six']) await say(id)
  expect(indexesOf(model.read, 'page of three')).toHaveLength(1)
})

it('begins the review that fell due while one was in progress, though no turn comes any more', async () => {
  const { hermes } = openHome(inMemoryBackend(), { nudge: { memoryInterval: 2, skillInterval: 0 } })
  const read: string[] = []
  let begun: () => void = () => {}
  let letGo: () => void = () => {}
  const isUnderWay = new Promise<void>((resolve) => {
    begun = resolve
  })
  const mayAnswer = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const model: HostModel = async ({ messages }) => {
    read.push(messages.map(({ content }) => content).join('\n'))
    begun()
    await mayAnswer
    return '{"proposals": []}'
  }
  const say = (text: string) => hermes.session('one').recordTurn({ messages: [user(text)], model })
  say('first')
  say('second')
  await isUnderWay
  say('third')
  say('fourth')
  setTimeout(letGo, 50)
  await hermes.settled()
  expect(['first', 'second', 'third', 'fourth'].map((text) => indexesOf(read, text))).toEqual([[0], [0], [1], [1]])
})

it('lets nobody decide about the removal of an entry that has made room in the same review', async () => {
  const { hermes, events } = openHome(inMemoryBackend(), {
    nudge: { memoryInterval: 1, skillInterval: 0 },
    memory: { memoryCharLimit: 60 },
  })
  const proposing =
    (...ops: readonly object[]): HostModel =>
    async ({ messages }) => {
      const seen = messages.some(({ content }) => content.includes('a page')) ? ops : []
      return JSON.stringify({ proposals: seen.map((op) => ({ target: 'memory', op, rationale: 'seen', score: 0.9, evidence: [] })) })
    }
  const old = 'The lab has a queue of seven batches'
  const fresh = 'The build of the lab takes nine minutes'
  const say = async (model: HostModel) => {
    hermes.session('one').recordTurn({ messages: [found('a page')], model })
    hermes.session('one').recordTurn({ messages: [user('look'), found('a page')], model })
    await hermes.settled()
  }
  await say(proposing({ action: 'add', content: old }))
  await say(proposing({ action: 'add', content: fresh }, { action: 'remove', oldText: old }))
  const store = hermes.memoryStore()
  await store.load()
  expect(store.entries('memory')).toEqual([fresh])
  expect(unwrap(await store.archived('memory')).map(({ text }) => text)).toEqual([old])
  expect(unwrap(await hermes.pending.list())).toEqual([])
  expect(events.some(({ type }) => type === 'review-finished')).toBe(true)
})

it('asks what came from outside about skills alone, if only these are due by count', async () => {
  let now = Date.UTC(2026, 0, 5, 9)
  const { hermes, events } = openHome(inMemoryBackend(), { nudge: { skillInterval: 5 }, clock: () => now++ })
  const asked: { readonly system: string; readonly text: string }[] = []
  const model: HostModel = async ({ system, messages }) => {
    asked.push({ system, text: messages.map(({ content }) => content).join('\n') })
    return '{"proposals": []}'
  }
  const say = async (toolIterations: number) => {
    hermes.session('one').recordTurn({ messages: [user('look'), found('page from outside')], toolIterations, model })
    await hermes.settled()
  }
  await say(2)
  await say(2)
  now += 31 * 60_000
  await say(1)
  expect(events.flatMap((event) => (event.type === 'review-started' ? [event.reviews] : []))).toEqual(['both'])
  const asksForMemory = ({ system }: { readonly system: string }) => system.includes('"user"')
  expect(asked.map((request) => [request.text.includes('page from outside'), asksForMemory(request)])).toEqual([
    [false, true],
    [true, false],
  ])
})
