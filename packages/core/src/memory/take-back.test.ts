import { expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { MemoryStore } from './memory-store.ts'

const NOW = 1_800_000_000_000

const storeWith = async (...contents: readonly string[]): Promise<MemoryStore> => {
  const store = new MemoryStore({ storage: inMemoryBackend(), clock: () => NOW })
  for (const content of contents) await store.apply('memory', { action: 'add', content }, { origin: 'tool' })
  return store
}

it('changes only an entry that is still the whole text', async () => {
  const store = await storeWith('builds with pnpm 12, and with Node 22')
  for (const op of [
    { action: 'remove', oldText: 'builds with pnpm 12' },
    { action: 'replace', oldText: 'builds with pnpm 12', content: 'builds with npm' },
  ] as const) {
    const done = await store.takeBack('memory', op)
    expect(done.ok ? 'ok' : [done.error.code, done.error.message]).toEqual(['drift', expect.stringContaining('changed or removed since')])
  }
  expect(await store.current('memory')).toEqual({ ok: true, value: ['builds with pnpm 12, and with Node 22'] })
})

it('gives an entry its former origin and age, whatever replaced it', async () => {
  const store = await storeWith('from a page')
  const source = { origin: 'user', firstSeenAt: 5, lastConfirmedAt: 7 } as const
  await store.takeBack('memory', { action: 'replace', oldText: 'from a page', content: 'my own words' }, source)
  expect(await store.facts('memory')).toMatchObject({
    value: [{ entry: 'my own words', origin: 'user', firstSeenAt: 5, lastConfirmedAt: 7 }],
  })
})

it('trusts an entry of unknown origin no more than what replaced it', async () => {
  const store = await storeWith('from a page')
  await store.takeBack('memory', { action: 'replace', oldText: 'from a page', content: 'by hand' })
  expect(await store.facts('memory')).toMatchObject({ value: [{ entry: 'by hand', origin: 'tool' }] })
})

it('makes an entry that was written by hand one again, whatever rewrote it', async () => {
  const store = await storeWith('from a page')
  await store.takeBack('memory', { action: 'replace', oldText: 'from a page', content: 'by hand' }, { origin: 'external' })
  expect(await store.facts('memory')).toMatchObject({ value: [{ entry: 'by hand', origin: 'external', firstSeenAt: 0 }] })
})

it.each(['tool', 'external'] as const)('gives an entry that was raised its former origin: %s', async (origin) => {
  const store = new MemoryStore({ storage: inMemoryBackend(), clock: () => NOW })
  await store.apply('memory', { action: 'add', content: 'one' }, { origin })
  const raised = await store.apply('memory', { action: 'add', content: 'one' }, { origin: 'user' })
  expect(raised).toMatchObject({ value: { facts: [{ previous: { origin }, content: { origin: 'user' } }] } })
  await store.takeBack('memory', { action: 'replace', oldText: 'one', content: 'one' }, { origin })
  expect(await store.facts('memory')).toMatchObject({ value: [{ entry: 'one', origin }] })
})

it('lowers no entry that stands beside the one it takes back', async () => {
  const store = await storeWith('from a page')
  await store.apply('memory', { action: 'add', content: 'mine' }, { origin: 'user' })
  for (const origin of ['tool', 'external'] as const) {
    await store.takeBack('memory', { action: 'replace', oldText: 'from a page', content: 'mine' }, { origin })
    expect(store.origins('memory').get('mine')).toBe('user')
    await store.apply('memory', { action: 'add', content: 'from a page' }, { origin: 'tool' })
  }
})
