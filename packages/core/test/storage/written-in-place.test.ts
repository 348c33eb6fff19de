/** Documents that only the library writes are written in their place. A person may change them all the same. */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { FileBackend } from '../../src/storage/files/file-backend.ts'
import type { Cut, StorageBackend } from '../../src/storage/storage-backend.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const FACTS = 'memories/.facts.jsonl'
const DAY = 'journal/2026-01-01.jsonl'
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The lock is kept for updates that follow at once, for at most 50 ms. */
const lockIsFree = () => wait(100)

const put = (storage: StorageBackend, text: string) =>
  storage.update([FACTS], () => ({ put: { [FACTS]: encoder.encode(text) }, value: undefined }))

const append = (storage: StorageBackend, text: string) =>
  storage.update([DAY], () => ({ append: { [DAY]: encoder.encode(text) }, value: undefined }))

const readText = (home: string, path: string): string => readFileSync(join(home, path), 'utf8')

it('is whole after a kill in the middle of the write', async () => {
  const home = temporaryFolder()
  const first = new FileBackend(home)
  await put(first, 'a'.repeat(300))
  await first.close()
  const killed = new FileBackend(home, {
    atStep: (step) => {
      if (step === 'logged') throw new Error('killed')
    },
  })
  await expect(put(killed, 'b'.repeat(200))).rejects.toThrow('killed')
  writeFileSync(join(home, FACTS), 'b'.repeat(100) + 'a'.repeat(200))
  const warnings: string[] = []
  const next = new FileBackend(home, { onWarning: (message) => warnings.push(message) })
  const cut = await next.read([FACTS])
  expect(cut.ok && decoder.decode(cut.value.document(FACTS)?.bytes)).toBe('b'.repeat(200))
  expect(readText(home, FACTS)).toBe('b'.repeat(200))
  expect(warnings).toEqual([])
})

it('does not reach a copy of the home that was made of hard links', async () => {
  const home = temporaryFolder()
  const storage = new FileBackend(home)
  await put(storage, 'first')
  await put(storage, 'before')
  await lockIsFree()
  const copy = join(temporaryFolder(), 'facts')
  linkSync(join(home, FACTS), copy)
  await put(storage, 'after')
  expect(readFileSync(copy, 'utf8')).toBe('before')
  expect(readText(home, FACTS)).toBe('after')
})

it.each([
  ['a longer text', 'one and more'],
  ['a text of the same length', 'xxx'],
])('is read as a person has left it: %s', async (_, text) => {
  const home = temporaryFolder()
  const storage = new FileBackend(home)
  await put(storage, 'one')
  await put(storage, 'two')
  await lockIsFree()
  writeFileSync(join(home, FACTS), text)
  const updated = await storage.update([FACTS], (cut) => ({
    put: { [FACTS]: encoder.encode(`${decoder.decode(cut.document(FACTS)?.bytes)}!`) },
    value: undefined,
  }))
  expect(updated.ok).toBe(true)
  expect(readText(home, FACTS)).toBe(`${text}!`)
})

it('is seen by a plan as the plans before it in the same commit leave it, however long it is', async () => {
  const home = temporaryFolder()
  const first = new FileBackend(home)
  await append(first, `${'x'.repeat(100_000)}\n`)
  await first.close()
  const storage = new FileBackend(home)
  const addOnce = () =>
    storage.update([DAY], (cut) =>
      decoder.decode(cut.document(DAY)?.bytes).includes('once')
        ? { value: 'there' }
        : { append: { [DAY]: encoder.encode('once\n') }, value: 'added' },
    )
  const added = await Promise.all([addOnce(), addOnce(), addOnce()])
  expect(added.map((each) => each.ok && each.value)).toEqual(['added', 'there', 'there'])
  await lockIsFree()
  const seen = (cut: Cut) => ({ value: decoder.decode(cut.document(DAY)?.bytes).slice(-5) })
  const [, read] = await Promise.all([append(storage, 'unread'), storage.update([DAY], seen)])
  expect(read).toEqual({ ok: true, value: 'nread' })
})

it.each([
  [FACTS, put, 'two'],
  [DAY, append, 'two'],
])('is written again if somebody removes it in the middle of an update: %s', async (path, change, expected) => {
  const home = temporaryFolder()
  const storage = new FileBackend(home, {
    atStep: (step) => {
      if (step === 'planned' && isGoing) rmSync(join(home, path))
      isGoing &&= step !== 'planned'
    },
  })
  let isGoing = false
  await change(storage, 'one')
  isGoing = true
  expect(await change(storage, 'two')).toMatchObject({ ok: true })
  expect(readText(home, path)).toBe(expected)
})

it('is not overwritten where another program changes it again and again, which is said', async () => {
  const home = temporaryFolder()
  let tries = 0
  const storage = new FileBackend(home, {
    atStep: (step) => {
      if (step === 'planned') writeFileSync(join(home, 'note'), 'theirs'.repeat(++tries))
    },
  })
  const ours = () => ({ put: { note: encoder.encode('ours') }, value: undefined })
  expect(await storage.update(['note'], ours)).toMatchObject({ ok: false, error: { code: 'locked', details: { paths: ['note'] } } })
  expect(tries).toBeGreaterThan(5)
  expect(readText(home, 'note')).toBe('theirs'.repeat(tries))
})
