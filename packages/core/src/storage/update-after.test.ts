import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { equalContent } from './equal-content.ts'
import { inMemoryBackend } from './in-memory.ts'
import { STALE, updateAfter } from './update-after.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('updateAfter', () => {
  it('prepares of one cut what it writes, and begins again where the cut has moved on', async () => {
    const storage = inMemoryBackend()
    const write = (text: string) => storage.update(['a'], () => ({ put: { a: bytes(text) }, value: 0 }))
    await write('one')
    let tries = 0
    const result = await updateAfter(
      storage,
      ['a', 'copy'],
      async (cut) => {
        tries++
        const document = cut.document('a')
        if (tries === 1) await write('two')
        return ok(document)
      },
      (cut, read) => (equalContent(cut.document('a'), read) ? { put: { copy: read?.bytes ?? null }, value: tries } : STALE),
    )
    expect(result).toEqual(ok(2))
    const cut = await storage.read(['copy'])
    expect(cut.ok && new TextDecoder().decode(cut.value.document('copy')?.bytes)).toBe('two')
  })

  it('gives up after some tries, and writes nothing', async () => {
    const storage = inMemoryBackend()
    const result = await updateAfter(
      storage,
      ['a'],
      async () => ok(0),
      () => STALE,
    )
    expect(!result.ok && result.error.code).toBe('locked')
    expect(await storage.list('')).toEqual(ok([]))
  })

  it('ends with the error of what could not be prepared or read, and throws what a plan throws', async () => {
    const storage = inMemoryBackend()
    const fault = err(new HermesError('io', 'The disk is gone.'))
    expect(
      await updateAfter(
        storage,
        ['a'],
        async () => fault,
        () => ({ value: 0 }),
      ),
    ).toBe(fault)
    const wrong = await updateAfter(
      storage,
      ['../a'],
      async () => ok(0),
      () => ({ value: 0 }),
    )
    expect(!wrong.ok && wrong.error.code).toBe('invalid_path')
    const thrown = updateAfter(
      storage,
      ['a'],
      async () => ok(0),
      () => {
        throw new RangeError('No.')
      },
    )
    await expect(thrown).rejects.toThrow('No.')
  })
})
