/** The calls to the disk during an update, and their order: after a power cut, only what was synced before is certain. */

import { mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import { replaceFileCalls, replacePromises } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const calls: { readonly done: { call: string; file: string }[] } = { done: [] }

/** Resolves a path through an open folder to the real path. */
const named = (path: string): string => path.replace(/^\/proc\/self\/fd\/\d+/, (handle) => readlinkSync(handle))

/** Recorded at the end of the call, so that a caller who does not wait for it is noticed. */
const counted = async <T>(call: string, path: string, doing: () => Promise<T>): Promise<T> => {
  const file = named(path)
  const result = await doing()
  calls.done.push({ call, file })
  return result
}

replacePromises((fs) => ({ mkdir: (folder: string, options: object) => counted('mkdir', folder, () => fs.mkdir(folder, options)) }))

replaceFileCalls((fs) => ({
  open: async (path: string, ...rest: [never, never]) => {
    const file = named(path)
    const handle = await fs.open(path, ...rest)
    const { writeFile, sync } = handle
    return Object.assign(handle, {
      writeFile: (bytes: Uint8Array) => counted('write', file, () => writeFile(bytes)),
      sync: () => counted('sync', file, sync),
    })
  },
  rename: (from: string, to: string) => counted('rename', to, () => fs.rename(from, to)),
  unlink: (file: string) => counted('unlink', file, () => fs.unlink(file)),
}))

afterEach(() => {
  calls.done.length = 0
})

/** The calls so far without those for locks, with paths relative to the folder and `*` for a temporary file. */
const callsBelow = (folder: string): string[] =>
  calls.done
    .map(({ call, file }) => ({ call, file: relative(folder, file).replace(/\.hermes-tmp-[^/]*$/, '*') }))
    .filter(({ file }) => !file.split('/').includes('.locks') && !file.endsWith('.lock'))
    .map(({ call, file }) => `${call} ${file === '' ? '.' : file}`)

/** A home whose lock files already exist. */
const openHome = async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'notes'))
  writeFileSync(join(home, 'notes/a'), 'old')
  const storage = fileSystemBackend(home)
  await updateDocument(storage, 'other', () => new Uint8Array(1))
  calls.done.length = 0
  return { home, storage }
}

describe.runIf(process.platform !== 'win32')('durability', () => {
  it.each([
    ['small', 10],
    ['large', 200_000],
  ])('writes a %s document beside the old one, syncs it, puts it in its place and syncs the folder', async (_, size) => {
    const { home, storage } = await openHome()
    expect(await updateDocument(storage, 'notes/a', () => new Uint8Array(size))).toMatchObject({ ok: true })
    expect(callsBelow(home)).toEqual(['write notes/*', 'sync notes/*', 'rename notes/a', 'sync notes'])
  })

  it('writes beside the old document and puts it in its place without a sync if it need not be durable', async () => {
    const { home, storage } = await openHome()
    expect(await updateDocument(storage, 'notes/a', () => new Uint8Array(10), { durable: false })).toMatchObject({ ok: true })
    expect(callsBelow(home)).toEqual(['write notes/*', 'rename notes/a'])
    await updateDocument(storage, 'notes/a', () => undefined, { durable: false })
    expect(callsBelow(home)).toEqual(['write notes/*', 'rename notes/a', 'unlink notes/a'])
  })

  it('syncs new folders also for a document that need not be durable, since later ones will be in them', async () => {
    const { home, storage } = await openHome()
    await updateDocument(storage, 'notes/new/a', () => new Uint8Array(1), { durable: false })
    expect(callsBelow(home)).toEqual(['mkdir notes/new', 'sync notes', 'write notes/new/*', 'rename notes/new/a'])
  })

  it('syncs the record of a session with its first turn, not before its first prompt', async () => {
    const { home, storage } = await openHome()
    mkdirSync(join(home, 'sessions'))
    const hermes = createHermes({ storage, sessions: { retainDays: 0 } })
    const session = hermes.session('one')
    await session.systemBlock()
    const ofRecord = () => callsBelow(home).filter((call) => /sessions(?:\/\*|\/one\.json)?$/.test(call))
    expect(ofRecord()).toEqual(['write sessions/*', 'rename sessions/one.json'])
    await hermes.settled()
    calls.done.length = 0
    session.recordTurn({
      messages: [
        { role: 'user', text: 'Use tabs.' },
        { role: 'assistant', text: 'Yes.' },
      ],
    })
    await hermes.settled()
    // The state of the home's reviews follows.
    expect(ofRecord().slice(0, 4)).toEqual(['write sessions/*', 'sync sessions/*', 'rename sessions/one.json', 'sync sessions'])
    await hermes.close()
  })

  it('syncs the record that follows a damaged one before the first prompt, since it says what was in sight', async () => {
    const { home, storage } = await openHome()
    mkdirSync(join(home, 'sessions'))
    writeFileSync(join(home, 'sessions/one.json'), '{ "version": 1, "id": "on')
    const hermes = createHermes({ storage, sessions: { retainDays: 0 } })
    await hermes.session('one').systemBlock()
    const written = callsBelow(home).filter((call) => /sessions(?:\/\*|\/one\.json)?$/.test(call))
    expect(written.slice(-4)).toEqual(['write sessions/*', 'sync sessions/*', 'rename sessions/one.json', 'sync sessions'])
    await hermes.close()
  })

  it('syncs the folder of a document that was removed', async () => {
    const { home, storage } = await openHome()
    await updateDocument(storage, 'notes/a', () => undefined)
    expect(callsBelow(home)).toEqual(['unlink notes/a', 'sync notes'])
  })

  it('syncs the parent of each folder it creates, before anything is put into it', async () => {
    const { home, storage } = await openHome()
    await updateDocument(storage, 'notes/new/deep/a', () => new Uint8Array(1))
    expect(callsBelow(home)).toEqual([
      'mkdir notes/new',
      'sync notes',
      'mkdir notes/new/deep',
      'sync notes/new',
      'write notes/new/deep/*',
      'sync notes/new/deep/*',
      'rename notes/new/deep/a',
      'sync notes/new/deep',
    ])
  })

  it('syncs the folder that contains a new home', async () => {
    const home = join(temporaryFolder(), 'deep/home')
    await updateDocument(fileSystemBackend(home), 'a', () => new Uint8Array(1))
    expect(callsBelow(dirname(dirname(home)))).toEqual([
      'mkdir deep',
      'sync .',
      'mkdir deep/home',
      'sync deep',
      // The folder of the locks is an entry of the home.
      'sync deep/home',
      'write deep/home/*',
      'sync deep/home/*',
      'rename deep/home/a',
      'sync deep/home',
    ])
  })

  it('syncs both folders after a move', async () => {
    const { home, storage } = await openHome()
    mkdirSync(join(home, 'archive'))
    calls.done.length = 0
    expect(await moveDocuments(storage, 'notes/a', 'archive/a')).toMatchObject({ ok: true })
    const [first, ...synced] = callsBelow(home).filter((call) => call !== 'sync .')
    expect(first).toBe('rename archive/a')
    expect(synced.sort()).toEqual(['sync archive', 'sync notes'])
  })

  it('syncs each folder once after moves that are asked for together, before any of them is answered', async () => {
    const { home, storage } = await openHome()
    mkdirSync(join(home, 'archive'))
    for (const name of ['b', 'c']) writeFileSync(join(home, 'notes', name), name)
    calls.done.length = 0
    const answered: string[][] = []
    const move = async (name: string) => {
      expect(await moveDocuments(storage, `notes/${name}`, `archive/${name}`)).toMatchObject({ ok: true })
      answered.push(callsBelow(home).filter((call) => call.startsWith('sync ') && call !== 'sync .'))
    }
    await Promise.all(['a', 'b', 'c'].map(move))
    const both = ['sync archive', 'sync notes']
    expect(answered).toEqual([both, both, both])
    expect(callsBelow(home).filter((call) => call.startsWith('rename '))).toEqual([
      'rename archive/a',
      'rename archive/b',
      'rename archive/c',
    ])
  })
})
