/** Documents that only the library writes are written in their place, and remembered while nobody else has had the lock. */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FileBackend } from '../../src/storage/files/file-backend.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const FACTS = 'memories/.facts.jsonl'
const DAY = 'journal/2026-01-01.jsonl'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

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

it('leaves nothing behind a shorter text', async () => {
  const home = temporaryFolder()
  const storage = new FileBackend(home)
  for (const text of ['long text', 'longer text', 'short']) {
    await put(storage, text)
    expect(readText(home, FACTS)).toBe(text)
  }
})

it('does not reach a copy of the home that was made of hard links', async () => {
  const home = temporaryFolder()
  const storage = new FileBackend(home)
  await put(storage, 'before')
  const copy = join(temporaryFolder(), 'facts')
  linkSync(join(home, FACTS), copy)
  await put(storage, 'after')
  expect(readFileSync(copy, 'utf8')).toBe('before')
  expect(readText(home, FACTS)).toBe('after')
})

it('is read again when another process has had the lock', async () => {
  const home = temporaryFolder()
  const [one, other] = [new FileBackend(home), new FileBackend(home)]
  const add = (storage: StorageBackend, text: string) =>
    storage.update([FACTS], (cut) => ({
      put: { [FACTS]: encoder.encode(decoder.decode(cut.document(FACTS)?.bytes) + text) },
      value: undefined,
    }))
  for (const text of ['a', 'b', 'c']) {
    await add(one, text)
    await add(one, text)
    await add(other, text.toUpperCase())
  }
  expect(readText(home, FACTS)).toBe('aaAbbBccC')
})

it('is appended to at its end, also after a person has shortened or replaced it', async () => {
  const home = temporaryFolder()
  const storage = new FileBackend(home)
  await append(storage, 'one\ntwo\n')
  await append(storage, 'three\n')
  writeFileSync(join(home, DAY), 'one\n')
  await append(storage, 'four\n')
  expect(readText(home, DAY)).toBe('one\nfour\n')
})

it('is read again after a person has replaced it, as a checkout of an older state does', async () => {
  const home = temporaryFolder()
  const storage = new FileBackend(home)
  await put(storage, 'one')
  await put(storage, 'two')
  rmSync(join(home, FACTS))
  writeFileSync(join(home, FACTS), 'older')
  const updated = await storage.update([FACTS], (cut) => ({
    put: { [FACTS]: encoder.encode(`${decoder.decode(cut.document(FACTS)?.bytes)} and new`) },
    value: undefined,
  }))
  expect(updated.ok).toBe(true)
  expect(readText(home, FACTS)).toBe('older and new')
})
