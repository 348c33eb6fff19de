import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import { keepDriftBackup } from './drift-backup.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const copy = (name: string) => `${MEMORY_PATHS.memory}.bak.${name}`

const setUp = async (...copies: readonly string[]) => {
  const storage = inMemoryBackend()
  for (const name of copies) await updateDocument(storage, copy(name), () => bytes(`copy ${name}`))
  const failures: unknown[] = []
  const keep = (over: Partial<StorageBackend> = {}, text = 'new') =>
    keepDriftBackup(
      { ...storage, ...over },
      'memory',
      bytes(text),
      () => 7_500,
      (error) => failures.push(error),
    )
  const names = async () => {
    const listed = await storage.list('memories')
    return listed.ok ? listed.value.map(({ path }) => path.slice(copy('').length)) : []
  }
  return { storage, keep, names, failures }
}

describe('the name of a copy', () => {
  it.each([
    ['is the second', [], '7'],
    ['begins anew with each second', ['6-3'], '7'],
    ['has the next number within a second', ['7', '7-2'], '7-3'],
    ['has a number past those that were removed', ['7-12'], '7-13'],
    ['does not follow a file that is no copy', ['old-7-4', '7-4-old'], '7'],
  ])('%s', async (_, before, name) => {
    const { keep, failures } = await setUp(...before)
    expect(await keep()).toEqual({ ok: true, value: copy(name) })
    expect(failures).toEqual([])
  })
})

it('never overwrites the copy of another process, which wrote it after the copies were listed', async () => {
  const { storage, keep, names } = await setUp('7', '7-2')
  const list = async () => ({ ok: true, value: [] }) as const
  expect(await keep({ list })).toEqual({ ok: true, value: copy('7-3') })
  expect(await names()).toEqual(['7', '7-2', '7-3'])
  expect(await readDocument(storage, copy('7'))).toMatchObject({ value: { bytes: bytes('copy 7') } })
})

it('tries a hundred names', async () => {
  const taken = Array.from({ length: 99 }, (_, index) => (index === 0 ? '7' : `7-${index + 1}`))
  const { keep } = await setUp(...taken)
  const list = async () => ({ ok: true, value: [] }) as const
  expect(await keep({ list })).toEqual({ ok: true, value: copy('7-100') })
  expect(await keep({ list })).toMatchObject({ ok: false, error: { code: 'occupied' } })
})

it('writes another copy if one of the same size cannot be read', async () => {
  const { keep } = await setUp('6')
  const read = async () => err(new HermesError('io', 'The disk failed.'))
  expect(await keep({ read }, 'copy 6')).toEqual({ ok: true, value: copy('7') })
  expect(await keep({}, 'copy 6')).toEqual({ ok: true, value: copy('7') })
})

it('writes another copy if the one that was listed is gone', async () => {
  const { keep } = await setUp('6')
  const { read } = inMemoryBackend()
  expect(await keep({ read }, 'copy 6')).toEqual({ ok: true, value: copy('7') })
})

it('removes all but the newest five, without a word', async () => {
  const { keep, names, failures } = await setUp('1', '2', '3', '4', '5', '6')
  await keep()
  expect(await names()).toEqual(['3', '4', '5', '6', '7'])
  expect(failures).toEqual([])
})
