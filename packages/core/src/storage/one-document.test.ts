import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from './in-memory.ts'
import { checkChangeResult, moveDocuments, readDocument, UNCHANGED, updateDocument } from './one-document.ts'
import type { StorageBackend } from './storage-backend.ts'

it('takes bytes, of a Buffer and of another realm too, undefined and UNCHANGED', () => {
  for (const bytes of [new Uint8Array([1]), Buffer.from('x'), runInNewContext('new Uint8Array(2)')]) {
    expect(checkChangeResult('a', bytes, undefined)).toEqual({ bytes, executable: false })
  }
  for (const answer of [undefined, UNCHANGED]) expect(checkChangeResult('a', answer, undefined)).toBe(answer)
})

it('keeps what the document was for bytes alone, and takes what a content says', () => {
  const bytes = new Uint8Array([1])
  expect(checkChangeResult('a', bytes, { bytes, executable: true })).toEqual({ bytes, executable: true })
  expect(checkChangeResult('a', { bytes }, { bytes, executable: true })).toEqual({ bytes, executable: false })
  expect(checkChangeResult('a', { bytes, executable: true }, undefined)).toEqual({ bytes, executable: true })
  expect(checkChangeResult('a', { bytes, executable: undefined }, undefined)).toEqual({ bytes, executable: false })
})

it.each<[string, () => unknown, RegExp]>([
  ['text', () => 'text', /change of 'a' returned a value of type string\..*TextEncoder/],
  ['null', () => null, /returned null\..*undefined to remove/],
  ['an array', () => [1], /returned an array\./],
  ['no bytes', () => ({ executable: true }), /returned a value of type object\./],
  ['a word for executable', () => ({ bytes: new Uint8Array(), executable: 'yes' }), /returned a value of type object\./],
  ['other numbers', () => new Uint16Array(2), /returned a value of type object\./],
  ['a promise', () => Promise.resolve(new Uint8Array()), /returned a promise\..*not a promise/],
  ['a promise that fails', () => Promise.reject(new Error('unheard')), /returned a promise\./],
])('refuses %s as a programmer’s error that says what to return', (_, change, words) => {
  expect(() => checkChangeResult('a', change(), undefined)).toThrow(TypeError)
  expect(() => checkChangeResult('a', change(), undefined)).toThrow(words)
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const holding = (...paths: readonly string[]) => inMemoryBackend(new Map(paths.map((path) => [path, { bytes: bytes(path) }])))

describe('a document', () => {
  it('is handed to the change, and resolves to what it is afterwards', async () => {
    const storage = holding('a')
    const seen: unknown[] = []
    const changed = await updateDocument(storage, 'a', (current) => {
      seen.push(current)
      return { bytes: bytes('b'), executable: true }
    })
    expect(seen).toEqual([{ bytes: bytes('a') }])
    expect(changed).toEqual(ok({ bytes: bytes('b'), executable: true }))
    expect(await updateDocument(storage, 'a', () => bytes('c'))).toEqual(ok({ bytes: bytes('c'), executable: true }))
    expect(await readDocument(storage, 'a')).toEqual(ok({ bytes: bytes('c'), executable: true }))
    expect(await updateDocument(storage, 'a', () => UNCHANGED)).toEqual(ok({ bytes: bytes('c'), executable: true }))
    expect(await updateDocument(storage, 'a', () => undefined)).toEqual(ok(undefined))
    expect(await readDocument(storage, 'a')).toEqual(ok(undefined))
  })

  it('that cannot be read is an error, of an update too', async () => {
    const unreadable = new HermesError('unreadable', 'closed')
    const cut = {
      document: () => {
        throw unreadable
      },
      list: () => [],
    }
    const storage: Pick<StorageBackend, 'read' | 'update'> = {
      read: async () => ok(cut),
      update: async (_, plan) => ok(plan(cut).value),
    }
    expect(await readDocument(storage, 'a')).toEqual(err(unreadable))
    expect(await updateDocument(storage, 'a', () => bytes('x'))).toEqual(err(unreadable))
  })

  it('is written with the options of its caller', async () => {
    const given: unknown[] = []
    const storage: Pick<StorageBackend, 'update'> = {
      update: async (_paths, _plan, options) => {
        given.push(options)
        return err(new HermesError('io', 'no'))
      },
    }
    await updateDocument(storage, 'a', () => undefined, { forget: true })
    expect(given).toEqual([{ forget: true }])
  })

  it.each(['', '..', 'a/', '/a'])('is refused at %j, and a change that throws is thrown', async (path) => {
    const storage = holding('a')
    expect(await readDocument(storage, path)).toMatchObject({ error: { code: 'invalid_path' } })
    expect(await updateDocument(storage, path, () => undefined)).toMatchObject({ error: { code: 'invalid_path' } })
    expect(await moveDocuments(storage, 'a', path)).toMatchObject({ error: { code: 'invalid_path' } })
    const mistake = new RangeError('mine')
    const throwing = updateDocument(storage, 'a', () => {
      throw mistake
    })
    await expect(throwing).rejects.toBe(mistake)
    expect(await readDocument(storage, 'a')).toEqual(ok({ bytes: bytes('a') }))
  })

  it('or folder that moves to its own place is in its own way, if there is one', async () => {
    const storage = holding('a', 'folder/b')
    for (const path of ['a', 'folder']) expect(await moveDocuments(storage, path, path)).toMatchObject({ error: { code: 'occupied' } })
    expect(await moveDocuments(storage, 'none', 'none')).toMatchObject({ error: { code: 'not_found' } })
    expect(await moveDocuments(storage, 'folder', 'folder/deeper')).toMatchObject({ error: { code: 'invalid_path' } })
  })
})
