/** A document that the system lets nobody open any more keeps nobody from the rest of the home. */
import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FileBackend, type FileBackendOptions } from '../../src/storage/files/file-backend.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

// Nothing is forbidden to the user of a container.
const denied = { file: '', folder: '' }

type Call = (...args: readonly unknown[]) => void

const refuse = (args: readonly unknown[], call: string): unknown =>
  setImmediate(args.at(-1) as Call, Object.assign(new Error(`EACCES: permission denied, ${call}`), { code: 'EACCES' }))

replaceFileCalls(({ open, readdir }) => ({
  readdir: ((...args) => void (args[0] === denied.folder ? refuse(args, 'scandir') : (readdir as Call)(...args))) satisfies Call,
  open: ((...args) => {
    if (args[0] === denied.file) refuse(args, 'open')
    else (open as Call)(...args)
  }) satisfies Call,
}))

const opened = (home: string, options: FileBackendOptions = {}): FileBackend => {
  const storage = new FileBackend(home, options)
  onTestFinished(() => {
    Object.assign(denied, { file: '', folder: '' })
    return storage.close()
  })
  return storage
}

const text = (value: string) => () => new TextEncoder().encode(value)

const dying = (step: string): void => {
  if (step === 'logged') throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
}

it('is given up after a crash: its text is kept beside the log, and a warning says where', async () => {
  const home = temporaryFolder()
  expect(await updateDocument(opened(home), 'a', text('old'))).toMatchObject({ ok: true })
  await updateDocument(opened(home, { atStep: dying }), 'a', text('ours'))
  const file = join(home, 'a')
  unlinkSync(file)
  writeFileSync(file, 'theirs')
  denied.file = file
  const warnings: string[] = []
  const storage = opened(home, { onWarning: (message) => warnings.push(message) })
  expect(await updateDocument(storage, 'b', text('two'))).toMatchObject({ ok: true })
  expect(await readDocument(storage, 'a')).toMatchObject({ error: { code: 'unreadable' } })
  expect(warnings).toEqual([expect.stringMatching(/met 'a'.* in '\.hermes\/kept-2-0'/)])
  expect([readFileSync(file, 'utf8'), readFileSync(join(home, '.hermes/kept-2-0'), 'utf8')]).toEqual(['theirs', 'ours'])
})

it('keeps no update from forgetting if it is a folder of another program', async () => {
  const home = temporaryFolder()
  const storage = opened(home)
  await updateDocument(storage, 'a', text('old'))
  denied.folder = join(home, 'foreign/data')
  mkdirSync(denied.folder, { recursive: true })
  expect(await storage.update(['a'], () => ({ put: { a: null }, value: 'gone' }), { forget: true })).toEqual({ ok: true, value: 'gone' })
  expect(await storage.list('')).toMatchObject({ value: [{ path: 'foreign/data', unreadable: 'closed-folder' }] })
})
