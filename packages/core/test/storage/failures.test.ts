import { chmodSync, existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { FileBackend, type FileBackendOptions, fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { startChild } from './support/child.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { temporaryFilesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const script = bundledProgram(new URL('./support/run-operations.ts', import.meta.url))
const text = (value: string) => () => new TextEncoder().encode(value)
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534

interface Outcome {
  readonly code: string
  readonly message?: string
}

const run = async (config: object, operations: readonly object[], shell = ''): Promise<Outcome[]> => {
  const json = JSON.stringify({ ...config, operations })
  const child = shell
    ? startChild('sh', ['-c', `${shell}; exec "$0" "$@"`, process.execPath, script, json])
    : startChild(process.execPath, [script, json])
  const outcomes: Outcome[] = []
  for (const _ of operations) outcomes.push(JSON.parse(await child.line()))
  return outcomes
}

describe('rights', () => {
  it('says unwritable and unreadable if the user has none, and names the path', async () => {
    const home = temporaryFolder()
    await updateDocument(fileSystemBackend(home), 'memories/MEMORY.md', text('private'))
    chmodSync(home, 0o555)
    chmodSync(join(home, 'memories'), 0o555)
    chmodSync(join(home, 'memories/MEMORY.md'), 0o000)
    // Permissions do not restrict root, so the operations run as another user.
    const outcomes = await run({ home, ...(isRoot ? { user: NOBODY } : {}) }, [
      { read: 'memories/MEMORY.md' },
      { update: 'memories/MEMORY.md' },
      { update: 'new/document' },
    ])
    for (const path of [home, join(home, 'memories')]) chmodSync(path, 0o755)
    expect(outcomes.map(({ code }) => code)).toEqual(['unreadable', 'unwritable', 'unwritable'])
    for (const { message } of outcomes) expect(message).toMatch(/owns it/)
    expect(outcomes[1]?.message).toContain("'memories/MEMORY.md'")
  })

  it.runIf(existsSync('/proc/self'))('says unwritable or no less if the system lets nobody write', async () => {
    const outcome = await updateDocument(fileSystemBackend('/proc/hermes'), 'a', text('x'))
    expect(outcome).toMatchObject({ ok: false })
    expect(['unwritable', 'io']).toContain(!outcome.ok && outcome.error.code)
  })
})

describe('no space', () => {
  it('says no_space when a file may not grow so large, and keeps the old content', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home)
    await updateDocument(storage, 'memories/MEMORY.md', text('old'))
    const outcomes = await run(
      { home },
      [
        { update: 'memories/MEMORY.md', size: 200_000 },
        { update: 'small', size: 10 },
      ],
      'ulimit -f 8',
    )
    expect(outcomes.map(({ code }) => code)).toEqual(['no_space', 'ok'])
    expect(readFileSync(join(home, 'memories/MEMORY.md'), 'utf8')).toBe('old')
    expect(temporaryFilesOnDisk(home)).toEqual([])
  })
})

/** A document that the system lets nobody open any more keeps nobody from the rest of the home. */
// Nothing is forbidden to the user of a container.
const denied = { file: '', folder: '', code: 'EACCES' }

type Call = (...args: readonly unknown[]) => void

const refuse = (args: readonly unknown[], call: string): unknown =>
  setImmediate(args.at(-1) as Call, Object.assign(new Error(`${denied.code}: ${call}`), { code: denied.code }))

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
    Object.assign(denied, { file: '', folder: '', code: 'EACCES' })
    return storage.close()
  })
  return storage
}

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

it('says that a text may remain if a folder cannot be searched for it, and that it is gone from its document', async () => {
  const home = temporaryFolder()
  const storage = opened(home)
  await updateDocument(storage, 'a', text('old'))
  mkdirSync(join(home, 'broken'))
  Object.assign(denied, { folder: join(home, 'broken'), code: 'EIO' })
  const forgotten = await storage.update(['a'], () => ({ put: { a: null }, value: 'gone' }), { forget: true })
  expect(forgotten).toMatchObject({ ok: false, error: { code: 'io', details: { isInLog: true, systemCode: 'EIO' } } })
  expect(existsSync(join(home, 'a'))).toBe(false)
})
