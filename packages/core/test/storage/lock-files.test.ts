/** Locks in one process: lock files, what other holders have left in them, and the lock that is used without flock. */

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { EXPIRES_AFTER_MS } from '../../src/storage/backends/file-system/lock-holder.ts'
import { CURRENT_PROCESS } from '../../src/storage/backends/file-system/process-identity.ts'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { DEAD_HOLDER } from './support/dead-holder.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const PATH = 'memories/MEMORY.md'
const LOCK = `${PATH}.lock`
const quiet = { onWarning: () => undefined }
const one = () => new Uint8Array([1])
const open = (home: string, lock: 'auto' | 'exclusive-file', lockTimeoutMs = 10_000) =>
  fileSystemBackend(home, { lock, lockTimeoutMs, onWarning: () => undefined })

const secondsAgo = (file: string, milliseconds: number): void => {
  const time = new Date(Date.now() - milliseconds)
  utimesSync(file, time, time)
}

afterEach(() => {
  vi.useRealTimers()
})

describe('flock', () => {
  it('keeps its lock files, private, beside the documents Python shares and in one folder for all others', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home)
    mkdirSync(join(home, 'memories'))
    writeFileSync(join(home, LOCK), '', { mode: 0o644 })
    for (let index = 0; index < 100; index++) await updateDocument(storage, `sessions/${index}.json`, one)
    await updateDocument(storage, PATH, one)
    await updateDocument(storage, 'skills/.usage.json', one)
    const locks = filesOnDisk(home).filter((name) => name.endsWith('.lock'))
    expect(locks).toContain(LOCK)
    expect(locks).toContain('skills/.usage.json.lock')
    expect(locks.length).toBeLessThanOrEqual(34)
    for (const lock of locks) expect(statSync(join(home, lock)).mode & 0o777).toBe(0o600)
  })

  it('refuses a lock that is a symbolic link', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'memories'))
    symlinkSync('/tmp/elsewhere.lock', join(home, LOCK))
    expect(await updateDocument(fileSystemBackend(home), PATH, one)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(existsSync('/tmp/elsewhere.lock')).toBe(false)
  })

  it('warns of nothing', async () => {
    const warnings: string[] = []
    await updateDocument(fileSystemBackend(temporaryFolder(), { onWarning: (message) => warnings.push(message) }), PATH, one)
    expect(warnings).toEqual([])
  })
})

describe('fallback lock', () => {
  it('says once, where it was chosen, that it does not keep Python Hermes out', async () => {
    const warnings: string[] = []
    const storage = fileSystemBackend(temporaryFolder(), { lock: 'exclusive-file', onWarning: (message) => warnings.push(message) })
    await Promise.all(['a', 'b', 'c'].map((path) => updateDocument(storage, path, one)))
    expect(warnings).toHaveLength(1)
    for (const words of ['Python Hermes', "'exclusive-file'"]) expect(warnings[0]).toContain(words)
    expect(warnings[0]).not.toMatch(/not available|koffi/)
  })

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('the logger is down')
      },
    ],
    ['rejects', async () => Promise.reject(new Error('the logger is down'))],
  ])('updates all the same when the listener of warnings %s', async (_, onWarning) => {
    let told = 0
    const listener = () => {
      told++
      return onWarning()
    }
    const storage = fileSystemBackend(temporaryFolder(), { lock: 'exclusive-file', onWarning: listener })
    expect(await updateDocument(storage, 'a', one)).toMatchObject({ ok: true })
    expect(await updateDocument(storage, 'a', one)).toMatchObject({ ok: true })
    expect(told).toBe(1)
  })

  it('takes no lock file along when it moves a folder, nor stumbles over its own in an empty one', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lock: 'exclusive-file', ...quiet })
    await updateDocument(storage, PATH, one)
    expect(await moveDocuments(storage, 'memories', 'old')).toMatchObject({ ok: true })
    expect(await storage.list('')).toMatchObject({ value: [{ path: 'old/MEMORY.md' }] })
    mkdirSync(join(home, 'memories'))
    expect(await moveDocuments(storage, 'old', 'memories')).toMatchObject({ ok: true })
    expect(filesOnDisk(home).filter((name) => !name.startsWith('.locks'))).toEqual(['memories', PATH].sort())
  })

  it.each([
    ['a takeover', ['.excl.takeover']],
    ['a lock and its takeover', ['.excl', '.excl.takeover']],
    ['a takeover of a takeover', ['.excl', '.excl.takeover', '.excl.takeover.takeover']],
  ])('continues at once after processes were killed that left %s', async (_, suffixes) => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'memories'))
    for (const suffix of suffixes) writeFileSync(join(home, `${LOCK}${suffix}`), DEAD_HOLDER)
    const storage = fileSystemBackend(home, { lock: 'exclusive-file', lockTimeoutMs: 1000, ...quiet })
    expect(await storage.list('')).toEqual({ ok: true, value: [] })
    for (const suffix of suffixes) {
      expect(await readDocument(storage, `${LOCK}${suffix}`)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    }
    expect(await updateDocument(storage, PATH, one)).toMatchObject({ ok: true })
    if (suffixes.includes('.excl')) expect(filesOnDisk(join(home, 'memories'))).toEqual(['MEMORY.md'])
  })

  it('waits while a live process takes over from a dead one', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'memories'))
    const takeover = join(home, `${LOCK}.excl.takeover`)
    writeFileSync(join(home, `${LOCK}.excl`), DEAD_HOLDER)
    writeFileSync(takeover, JSON.stringify({ ...CURRENT_PROCESS, at: 0 }))
    const impatient = await updateDocument(fileSystemBackend(home, { lock: 'exclusive-file', lockTimeoutMs: 20, ...quiet }), PATH, one)
    expect(impatient).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(existsSync(takeover)).toBe(true)
  })

  it('leaves no lock file behind', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lock: 'exclusive-file', ...quiet })
    await updateDocument(storage, PATH, one)
    await moveDocuments(storage, PATH, 'a')
    expect(filesOnDisk(home).filter((name) => name.includes('.excl') || name.includes('.hermes-tmp'))).toEqual([])
  })

  it('never takes over from a live process, another host, or a holder it cannot read', async () => {
    const home = temporaryFolder()
    const file = join(home, `${LOCK}.excl`)
    mkdirSync(join(home, 'memories'))
    const dead = JSON.parse(DEAD_HOLDER)
    for (const content of [
      JSON.stringify({ ...CURRENT_PROCESS, at: 0 }),
      JSON.stringify({ ...dead, host: 'elsewhere' }),
      'gibberish',
      '{"pid":-1}',
    ]) {
      writeFileSync(file, content)
      const outcome = await updateDocument(fileSystemBackend(home, { lock: 'exclusive-file', lockTimeoutMs: 20, ...quiet }), PATH, one)
      expect(outcome).toMatchObject({ ok: false, error: { code: 'locked' } })
      expect(!outcome.ok && outcome.error.message).toContain(file)
      expect(readFileSync(file, 'utf8')).toBe(content)
      rmSync(file)
    }
  })

  it.runIf(process.platform === 'linux')('takes over from a dead process whose id was given to another one', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'memories'))
    writeFileSync(join(home, `${LOCK}.excl`), JSON.stringify({ ...CURRENT_PROCESS, started: 'before the last boot:17', at: 0 }))
    expect(await updateDocument(fileSystemBackend(home, { lock: 'exclusive-file', ...quiet }), PATH, one)).toMatchObject({ ok: true })
  })
})

describe('a holder that cannot be asked', () => {
  const foreign = JSON.stringify({ pid: 1, host: 'elsewhere', at: 0 })

  it.each([
    ['on another host', foreign],
    ['whose words cannot be read', ''],
  ])('%s keeps everybody out as long as it writes, and nobody afterwards', async (_, words) => {
    for (const lock of ['auto', 'exclusive-file'] as const) {
      const home = temporaryFolder()
      const file = join(home, `${LOCK}.excl`)
      mkdirSync(join(home, 'memories'))
      writeFileSync(file, words)
      expect(await updateDocument(open(home, lock, 20), PATH, one)).toMatchObject({ ok: false, error: { code: 'locked' } })
      secondsAgo(file, EXPIRES_AFTER_MS / 2)
      expect(await updateDocument(open(home, lock, 20), PATH, one)).toMatchObject({ ok: false, error: { code: 'locked' } })
      expect(readFileSync(file, 'utf8')).toBe(words)
      secondsAgo(file, EXPIRES_AFTER_MS + 5_000)
      expect(await updateDocument(open(home, lock), PATH, one)).toMatchObject({ ok: true })
      expect(existsSync(file)).toBe(false)
    }
  })

  it('counts as gone by its mark in the lock file too', async () => {
    const home = temporaryFolder()
    const file = join(home, LOCK)
    mkdirSync(join(home, 'memories'))
    writeFileSync(file, foreign)
    expect(await updateDocument(open(home, 'exclusive-file', 20), PATH, one)).toMatchObject({ ok: false, error: { code: 'locked' } })
    secondsAgo(file, EXPIRES_AFTER_MS + 5_000)
    expect(await updateDocument(open(home, 'exclusive-file'), PATH, one)).toMatchObject({ ok: true })
  })
})

it('writes nothing with a lock that another took over while its process was stopped', async () => {
  const home = temporaryFolder()
  const file = join(home, `${LOCK}.excl`)
  const theirs = JSON.stringify({ ...CURRENT_PROCESS, at: 0 })
  for (const lock of ['auto', 'exclusive-file'] as const) {
    const storage = open(home, lock)
    expect(await updateDocument(storage, PATH, () => new TextEncoder().encode('before'))).toMatchObject({ ok: true })
    const outcome = await updateDocument(storage, PATH, () => {
      writeFileSync(file, theirs)
      vi.setSystemTime(Date.now() + EXPIRES_AFTER_MS)
      return one()
    })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(!outcome.ok && outcome.error.message).toMatch(/was lost .* try again/)
    expect(readFileSync(join(home, PATH), 'utf8')).toBe('before')
    expect(readFileSync(file, 'utf8')).toBe(theirs)
    vi.useRealTimers()
    rmSync(file)
  }
})
