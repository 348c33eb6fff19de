/** A document that the system lets nobody open any more keeps nobody from the rest of the home. */
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FileBackend, type FileBackendOptions } from '../../src/storage/files/file-backend.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

// Nothing is forbidden to the user of a container.
const denied = { file: '' }

type Call = (...args: readonly unknown[]) => void

replaceFileCalls(({ open }) => ({
  open: ((...args) => {
    const isDenied = args[0] === denied.file
    if (isDenied) setImmediate(args.at(-1) as Call, Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' }))
    else (open as Call)(...args)
  }) satisfies Call,
}))

const opened = (home: string, options: FileBackendOptions = {}): FileBackend => {
  const storage = new FileBackend(home, options)
  onTestFinished(() => {
    denied.file = ''
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
