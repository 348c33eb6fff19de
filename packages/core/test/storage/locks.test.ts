/** How locks are acquired, awaited, released and, in the fallback, taken over from dead processes. */

import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundledModule, bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { firstOf, IS_LONG_RUN, rounds } from '../../../../scripts/support/rounds.ts'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { CURRENT_PROCESS } from '../../src/storage/backends/file-system/process-identity.ts'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { appending, entriesAt } from '../../src/testing/storage-conformance/entry-log.ts'
import { startWriter } from '../../src/testing/storage-conformance/writer-process.ts'
import { startChild } from './support/child.ts'
import { temporaryFilesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const PATH = 'memories/MEMORY.md'
const LOCK = `${PATH}.lock`
const quiet = { onWarning: () => undefined }
const one = () => new Uint8Array([1])
const holder = bundledProgram(new URL('./support/hold-lock.ts', import.meta.url))
const module = bundledModule(new URL('./support/open-file-system.ts', import.meta.url))

const hold = async (home: string, lock: 'auto' | 'exclusive-file', path: string) => {
  const child = startChild(process.execPath, [holder, JSON.stringify({ home, lock, path, text: 'theirs' })])
  expect(await child.line()).toBe('held')
  return child
}

const deadHolder = async (): Promise<string> => {
  const child = startChild(process.execPath, ['-e', ''])
  await child.ended
  return JSON.stringify({ pid: child.process.pid, host: CURRENT_PROCESS.host, at: 0 })
}

describe.each(['auto', 'exclusive-file'] as const)('lock: %s', (lock) => {
  it.each([PATH, 'sessions/a.json'])(
    'makes an update of %s wait for another process, and names the lock when the time is over',
    async (path) => {
      const home = temporaryFolder()
      const child = await hold(home, lock, path)
      const impatient = await updateDocument(fileSystemBackend(home, { lock, lockTimeoutMs: 40, ...quiet }), path, one)
      expect(impatient).toMatchObject({ ok: false, error: { code: 'locked' } })
      const named = !impatient.ok && impatient.error.details['lock']
      expect(typeof named === 'string' && existsSync(named)).toBe(true)
      expect(!impatient.ok && impatient.error.message).toContain(String(named))
      child.say('go')
      expect(await child.line()).toBe('written')
      expect(await updateDocument(fileSystemBackend(home, { lock, ...quiet }), path, one)).toMatchObject({ ok: true })
    },
  )

  it('reads without waiting for a lock', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lock, lockTimeoutMs: 40, ...quiet })
    await updateDocument(storage, PATH, one)
    await hold(home, lock, PATH)
    expect(await readDocument(storage, PATH)).toMatchObject({ ok: true, value: { bytes: one() } })
    expect(await storage.list('')).toMatchObject({ ok: true, value: [{ path: PATH }] })
  })

  it('makes a move wait for an update in progress anywhere in the tree', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lock, lockTimeoutMs: 40, ...quiet })
    await updateDocument(storage, 'skills/a/SKILL.md', one)
    const child = await hold(home, lock, 'skills/a/notes.md')
    expect(await moveDocuments(storage, 'skills/a', 'skills/b')).toMatchObject({ ok: false, error: { code: 'locked' } })
    child.say('go')
    await child.line()
    expect(await moveDocuments(storage, 'skills/a', 'skills/b')).toMatchObject({ ok: true })
    expect(await storage.list('')).toMatchObject({ value: [{ path: 'skills/b/SKILL.md' }, { path: 'skills/b/notes.md' }] })
  })

  it('continues at once after a holder was killed', async () => {
    const home = temporaryFolder()
    const child = await hold(home, lock, PATH)
    child.process.kill('SIGKILL')
    await child.ended
    expect(await updateDocument(fileSystemBackend(home, { lock, ...quiet }), PATH, one)).toMatchObject({ ok: true })
  })

  it('lets updates through two names of one document exclude each other', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lock, ...quiet })
    await updateDocument(storage, 'real/log.json', () => new TextEncoder().encode('[]'))
    symlinkSync('real', join(home, 'alias'))
    const paths = ['real/log.json', 'alias/log.json']
    await Promise.all(Array.from({ length: 40 }, (_, index) => updateDocument(storage, paths[index % 2] ?? '', appending(`${index}`))))
    expect(await entriesAt(storage, 'real/log.json')).toHaveLength(40)
  })
})

const WRITERS = IS_LONG_RUN ? 6 : 3
const UPDATES = rounds(20)

describe('fallback lock', () => {
  it('writes nothing while it waits for another process', async () => {
    const home = temporaryFolder()
    await hold(home, 'exclusive-file', PATH)
    const folder = join(home, 'memories')
    const before = statSync(folder, { bigint: true })
    const impatient = await updateDocument(fileSystemBackend(home, { lock: 'exclusive-file', lockTimeoutMs: 40, ...quiet }), PATH, one)
    expect(impatient).toMatchObject({ ok: false, error: { code: 'locked' } })
    const { mtimeNs, ctimeNs } = statSync(folder, { bigint: true })
    expect([mtimeNs, ctimeNs]).toEqual([before.mtimeNs, before.ctimeNs])
  })

  const LEFT = [
    ['the lock and the takeover of dead ones', ['.excl', '.excl.takeover']],
    ['the lock of a dead one', ['.excl']],
  ] as const

  if (IS_LONG_RUN)
    it.each(firstOf(LEFT))('keeps every update when many processes find %s', async (_, suffixes) => {
      const home = temporaryFolder()
      const config = { home, lock: 'exclusive-file' as const }
      mkdirSync(join(home, 'memories'))
      const dead = await deadHolder()
      const writers = Array.from({ length: WRITERS }, (_, writer) =>
        startWriter({ module, config, path: PATH, writer: `${writer}`, times: UPDATES }),
      )
      await Promise.all(writers.map((writer) => writer.ready))
      for (const suffix of suffixes) writeFileSync(join(home, `${LOCK}${suffix}`), dead)
      for (const writer of writers) writer.go()
      const acknowledged = (await Promise.all(writers.map((writer) => writer.finished))).flat()
      const kept = await entriesAt(fileSystemBackend(home, { lock: 'exclusive-file', ...quiet }), PATH)
      expect(acknowledged).toHaveLength(WRITERS * UPDATES)
      expect([...kept].sort()).toEqual([...acknowledged].sort())
      expect(temporaryFilesOnDisk(home)).toEqual([])
    })
})
