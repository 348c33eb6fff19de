/** What is on the disk when an update resolves: after a power cut, only what was synced before is certain. */
import nodeFs, { constants, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import { temporaryFolder } from './support/temporary-home.ts'

/** Each sync that has ended, also as part of a write: the file, and what the log of the home held then. */
const synced: { file: string; content: string }[] = []

const note = (place: string): void => {
  synced.push({ file: place, content: basename(place) === 'log' ? readFileSync(place, 'latin1') : '' })
}

type Call = (file: number, ...rest: readonly unknown[]) => void

let spies: readonly MockInstance[] = []

const isWaiting = (file: number): boolean => {
  const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, 'latin1'))?.[1] ?? '0'
  return (Number.parseInt(flags, 8) & constants.O_DSYNC) !== 0
}

beforeEach(() => {
  spies = (['fdatasync', 'fsync', 'write'] as const).map((name) => {
    const real = nodeFs[name] as Call
    const noting: Call = (file, ...rest) => {
      if (name === 'write' && !isWaiting(file)) return real(file, ...rest)
      const place = readlinkSync(`/proc/self/fd/${file}`)
      const done = rest.at(-1) as (error: Error | null, ...results: readonly unknown[]) => void
      real(file, ...rest.slice(0, -1), (error: Error | null, ...results: readonly unknown[]) => {
        if (!error) note(place)
        done(error, ...results)
      })
    }
    return vi.spyOn(nodeFs, name).mockImplementation(noting as never)
  })
  syncBuiltinESMExports()
})

afterEach(() => {
  for (const spy of spies) spy.mockRestore()
  syncBuiltinESMExports()
  synced.length = 0
})

const openHome = async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'notes'))
  writeFileSync(join(home, 'notes/a'), 'old')
  const storage = fileSystemBackend(home)
  await updateDocument(storage, 'other', () => new Uint8Array(1))
  synced.length = 0
  return { home, storage }
}

const text = (value: string) => () => new TextEncoder().encode(value)

/** Whether the words were in a file that was synced since. */
const isSynced = (words: string): boolean => synced.some(({ content }) => content.includes(words))

describe.runIf(process.platform === 'linux')('durability', () => {
  it.each([
    ['small', 10],
    ['large', 200_000],
  ])('has the bytes of a %s document on the disk when the update resolves', async (_, size) => {
    const { storage } = await openHome()
    const words = 'x'.repeat(size - 4)
    expect(await updateDocument(storage, 'notes/a', text(`new ${words}`))).toMatchObject({ ok: true })
    expect(isSynced(`new ${words}`)).toBe(true)
  })

  it('has a removal and a move on the disk when they resolve', async () => {
    const { storage } = await openHome()
    await updateDocument(storage, 'notes/gone', text('x'))
    synced.length = 0
    expect(await updateDocument(storage, 'notes/gone', () => undefined)).toMatchObject({ ok: true })
    expect(isSynced('notes/gone')).toBe(true)
    synced.length = 0
    expect(await moveDocuments(storage, 'notes', 'kept')).toMatchObject({ ok: true })
    expect(isSynced('kept')).toBe(true)
  })

  it('syncs nothing for an update that need not be durable', async () => {
    const { home, storage } = await openHome()
    expect(await updateDocument(storage, 'notes/a', text('new'), { durable: false })).toMatchObject({ ok: true })
    expect(await updateDocument(storage, 'notes/a', () => undefined, { durable: false })).toMatchObject({ ok: true })
    // Homes of other tests may still be at it.
    expect(synced.map(({ file }) => relative(home, file)).filter((file) => !file.startsWith('..'))).toEqual([])
  })

  it('syncs the folder that contains a new home', async () => {
    const home = join(temporaryFolder(), 'deep/home')
    await updateDocument(fileSystemBackend(home), 'a', () => new Uint8Array(1))
    const files = synced.map(({ file }) => file)
    for (const folder of [dirname(home), dirname(dirname(home))]) expect(files).toContain(folder)
  })
})
