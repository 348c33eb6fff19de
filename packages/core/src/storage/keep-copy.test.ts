import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from './in-memory.ts'
import { keepCopy } from './keep-copy.ts'
import { readDocument, updateDocument } from './one-document.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const pathOf = (serial: number): string => `kept/copy-${serial}`

describe('keepCopy', () => {
  it('keeps one copy of the same bytes, however often it is asked', async () => {
    const storage = inMemoryBackend()
    expect(await keepCopy(storage, { bytes: bytes('a') }, pathOf, 'file')).toEqual({ ok: true, value: 'kept/copy-1' })
    expect(await keepCopy(storage, { bytes: bytes('a') }, pathOf, 'file')).toEqual({ ok: true, value: 'kept/copy-1' })
  })

  it('takes the next name if other bytes have the first', async () => {
    const storage = inMemoryBackend()
    await updateDocument(storage, 'kept/copy-1', () => bytes('edited by hand'))
    expect(await keepCopy(storage, { bytes: bytes('a') }, pathOf, 'file')).toEqual({ ok: true, value: 'kept/copy-2' })
  })

  it('keeps the right to run, and gives none', async () => {
    const storage = inMemoryBackend()
    await keepCopy(storage, { bytes: bytes('a'), executable: true }, () => 'kept/script', 'file')
    await keepCopy(storage, { bytes: bytes('a') }, () => 'kept/text', 'file')
    expect(await readDocument(storage, 'kept/script')).toMatchObject({ value: { executable: true } })
    expect(await readDocument(storage, 'kept/text')).not.toMatchObject({ value: { executable: true } })
  })

  it('fails at once if the storage does, instead of looking for another name', async () => {
    let asked = 0
    const update = async () => {
      asked++
      return err(new HermesError('no_space', 'The disk is full.'))
    }
    const kept = await keepCopy({ ...inMemoryBackend(), update }, { bytes: bytes('a') }, pathOf, 'file')
    expect(kept).toMatchObject({ ok: false, error: { code: 'no_space' } })
    expect(asked).toBe(1)
  })

  it('takes the hundredth name if all others have other bytes', async () => {
    const storage = inMemoryBackend()
    for (let serial = 1; serial < 100; serial++) await updateDocument(storage, pathOf(serial), () => bytes('other'))
    expect(await keepCopy(storage, { bytes: bytes('a') }, pathOf, 'file')).toEqual({ ok: true, value: 'kept/copy-100' })
    expect(await keepCopy(storage, { bytes: bytes('b') }, pathOf, 'file')).toMatchObject({ ok: false, error: { code: 'occupied' } })
  })

  it('says so if no name is free', async () => {
    const storage = inMemoryBackend()
    await updateDocument(storage, 'kept/one', () => bytes('other'))
    expect(await keepCopy(storage, { bytes: bytes('a') }, () => 'kept/one', 'file')).toMatchObject({
      ok: false,
      error: { code: 'occupied', details: { path: 'file' } },
    })
  })
})
