/** `hermes.sessions`: what a host can show of its sessions without starting one. */

import { expect, it } from 'vitest'
import { createHermes } from '../create-hermes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { HermesEvent } from './hermes-event.ts'

const value = <T>(result: { ok: true; value: T } | { ok: false; error: Error }): T => {
  if (!result.ok) throw result.error
  return result.value
}

const provider = { name: 'notes', systemPromptBlock: 'Use find_notes for what was said before.', initialize: () => ({}) }

const setUp = () => {
  const storage = inMemoryBackend()
  const time = { now: 1_000_000 }
  const hermes = createHermes({ storage, clock: () => time.now, memory: { provider } })
  const turn = async (id: string, said: string) => {
    const session = hermes.session(id)
    session.offerTools()
    await session.systemBlock()
    session.recordTurn({
      messages: [
        { role: 'user', text: said },
        { role: 'assistant', text: 'Fine.' },
      ],
    })
    await session.settled()
    time.now += 1_000
  }
  const paths = async () => value(await storage.list('')).map(({ path, stamp }) => `${path} ${stamp}`)
  return { hermes, turn, paths }
}

it('shows the frozen text byte for byte, and the one that the next session would freeze', async () => {
  const { hermes, turn } = setUp()
  await hermes.memoryStore().apply('user', { action: 'add', content: 'Lives in Oslo' }, { origin: 'user' })
  await turn('a', 'Hello.')
  const frozen = await hermes.session('a').systemBlock()
  await hermes.memoryStore().apply('user', { action: 'add', content: 'Speaks Norwegian' }, { origin: 'user' })
  await hermes.skillStore().create({ name: 'deploy', content: '---\nname: deploy\ndescription: How to deploy.\n---\n\n1. Build.\n' })
  expect(value(await hermes.sessions.get('a'))).toMatchObject({ id: 'a', block: frozen, outsideSeen: false, userTurns: 1 })
  const next = await hermes.sessions.nextBlock()
  expect(next).toContain('Speaks Norwegian')
  expect(next).toContain('Use find_notes')
  const fresh = hermes.session('c')
  fresh.offerTools()
  expect(await fresh.systemBlock()).toBe(next)
  const bare = hermes.session('d')
  expect(await bare.systemBlock()).toBe(await hermes.sessions.nextBlock(false))
})

it('writes nothing, and knows no session that was never started', async () => {
  const { hermes, turn, paths } = setUp()
  await turn('a', 'Hello.')
  const before = await paths()
  expect(value(await hermes.sessions.get('../nobody'))).toBeUndefined()
  await hermes.sessions.list()
  await hermes.sessions.nextBlock()
  expect(await paths()).toEqual(before)
})

it('lists the sessions, newest first, with their counts', async () => {
  const { hermes, turn } = setUp()
  await turn('a', 'Hello.')
  await turn('b', 'Hello.')
  await turn('a', 'More.')
  expect(value(await hermes.sessions.list()).map(({ id, userTurns, unreadTurns }) => ({ id, userTurns, unreadTurns }))).toEqual([
    { id: 'a', userTurns: 2, unreadTurns: 2 },
    { id: 'b', userTurns: 1, unreadTurns: 1 },
  ])
})

it('counts how often a text changed that was in a prompt, and the turns since', async () => {
  const { hermes, turn } = setUp()
  const add = (content: string) => hermes.memoryStore().apply('memory', { action: 'add', content })
  const cache = async () => {
    const { blockChanges, blockChangedAt, turnsWithBlock } = value(await hermes.sessions.get('a')) ?? {}
    return [blockChanges, blockChangedAt, turnsWithBlock]
  }
  await add('Before the first prompt')
  await hermes.session('a').refresh()
  await turn('a', 'Hello.')
  await hermes.session('a').refresh()
  await turn('a', 'The same bytes.')
  expect(await cache()).toEqual([0, 0, 2])
  await add('Learned later')
  await hermes.session('a').refresh()
  expect(await hermes.session('a').systemBlock()).toContain('Learned later')
  await turn('a', 'One.')
  await turn('a', 'Two.')
  expect(await cache()).toEqual([1, 1_002_000, 2])
  value(await hermes.forget('Learned later'))
  await turn('a', 'Three.')
  expect(await cache()).toEqual([2, 1_004_000, 1])
  expect(await hermes.session('a').systemBlock()).not.toContain('Learned later')
})

it('fails if the sessions cannot be read, and reports what is missing in a text', async () => {
  const inner = inMemoryBackend()
  const notText = () => new Uint8Array([0xff, 0xfe, 0xfd])
  for (const path of ['sessions/.reviews.json', 'skills/.usage.json']) await updateDocument(inner, path, notText)
  const list: StorageBackend['list'] = async (path) =>
    path === 'skills' ? err(new HermesError('io', 'The disk does not answer.')) : inner.list(path)
  const operations: string[] = []
  const onEvent = (event: HermesEvent) => event.type === 'storage-failed' && operations.push(event.operation)
  const hermes = createHermes({ storage: { ...inner, list }, onEvent })
  expect(await hermes.sessions.list()).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  await hermes.sessions.nextBlock()
  expect(operations.sort()).toEqual(['load skills', 'skill usage'])
})

it('counts a change in a process that has sent nothing yet, and a text frozen anew from a checkpoint', async () => {
  const storage = inMemoryBackend()
  const first = createHermes({ storage, clock: () => 1 })
  first.session('a').recordTurn({ messages: [{ role: 'user', text: 'Hello.' }] })
  await first.settled()
  value(await first.memoryStore().apply('memory', { action: 'add', content: 'Learned' }))
  const second = createHermes({ storage, clock: () => 2 })
  await second.session('a').refresh()
  await second.session('b', { checkpoint: { userTurns: 3, toolIterations: 0 } }).systemBlock()
  await second.session('c', { checkpoint: { block: 'Kept', userTurns: 3, toolIterations: 0 } }).systemBlock()
  await second.settled()
  const read = async (id: string) => value(await second.sessions.get(id))
  expect(await read('a')).toMatchObject({ blockChanges: 1, blockChangedAt: 2, turnsWithBlock: 0 })
  expect(await read('b')).toMatchObject({ blockChanges: 1, blockChangedAt: 2, turnsWithBlock: 0 })
  expect(await read('c')).toMatchObject({ blockChanges: 0, turnsWithBlock: 3 })
})
