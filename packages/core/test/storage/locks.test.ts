/** How locks are acquired, awaited, released and, in the fallback, taken over from dead processes. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundledModule, bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { CURRENT_PROCESS } from '../../src/storage/backends/file-system/process-identity.ts'
import { appending, entriesAt } from '../../src/testing/storage-conformance/entry-log.ts'
import { startWriter } from '../../src/testing/storage-conformance/writer-process.ts'
import { startChild } from './support/child.ts'
import { filesOnDisk, temporaryFilesOnDisk, temporaryFolder } from './support/temporary-home.ts'

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
      const impatient = await fileSystemBackend(home, { lock, lockTimeoutMs: 40, ...quiet }).update(path, one)
      expect(impatient).toMatchObject({ ok: false, error: { code: 'locked' } })
      const named = !impatient.ok && impatient.error.details['lock']
      expect(typeof named === 'string' && existsSync(named)).toBe(true)
      expect(!impatient.ok && impatient.error.message).toContain(String(named))
      child.say('go')
      expect(await child.line()).toBe('written')
      expect(await fileSystemBackend(home, { lock, ...quiet }).update(path, one)).toMatchObject({ ok: true })
    },
  )

  it('reads without waiting for a lock', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lock, lockTimeoutMs: 40, ...quiet })
    await storage.update(PATH, one)
    await hold(home, lock, PATH)
    expect(await storage.read(PATH)).toMatchObject({ ok: true, value: { bytes: one() } })
    expect(await storage.list('')).toMatchObject({ ok: true, value: [{ path: PATH }] })
  })

  it('makes a move wait for an update in progress anywhere in the tree', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lock, lockTimeoutMs: 40, ...quiet })
    await storage.update('skills/a/SKILL.md', one)
    const child = await hold(home, lock, 'skills/a/notes.md')
    expect(await storage.move('skills/a', 'skills/b')).toMatchObject({ ok: false, error: { code: 'locked' } })
    child.say('go')
    await child.line()
    expect(await storage.move('skills/a', 'skills/b')).toMatchObject({ ok: true })
    expect(await storage.list('')).toMatchObject({ value: [{ path: 'skills/b/SKILL.md' }, { path: 'skills/b/notes.md' }] })
  })

  it('continues at once after a holder was killed', async () => {
    const home = temporaryFolder()
    const child = await hold(home, lock, PATH)
    child.process.kill('SIGKILL')
    await child.ended
    expect(await fileSystemBackend(home, { lock, ...quiet }).update(PATH, one)).toMatchObject({ ok: true })
  })

  it('lets updates through two names of one document exclude each other', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lock, ...quiet })
    await storage.update('real/log.json', () => new TextEncoder().encode('[]'))
    symlinkSync('real', join(home, 'alias'))
    const paths = ['real/log.json', 'alias/log.json']
    await Promise.all(Array.from({ length: 40 }, (_, index) => storage.update(paths[index % 2] ?? '', appending(`${index}`))))
    expect(await entriesAt(storage, 'real/log.json')).toHaveLength(40)
  })
})

describe('flock', () => {
  it('keeps its lock files, private, beside the documents Python shares and in one folder for all others', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home)
    mkdirSync(join(home, 'memories'))
    writeFileSync(join(home, LOCK), '', { mode: 0o644 })
    for (let index = 0; index < 100; index++) await storage.update(`sessions/${index}.json`, one)
    await storage.update(PATH, one)
    await storage.update('skills/.usage.json', one)
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
    expect(await fileSystemBackend(home).update(PATH, one)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(existsSync('/tmp/elsewhere.lock')).toBe(false)
  })

  it('warns of nothing', async () => {
    const warnings: string[] = []
    await fileSystemBackend(temporaryFolder(), { onWarning: (message) => warnings.push(message) }).update(PATH, one)
    expect(warnings).toEqual([])
  })
})

describe('fallback lock', () => {
  it('says once, where it was chosen, that it does not keep Python Hermes out', async () => {
    const warnings: string[] = []
    const storage = fileSystemBackend(temporaryFolder(), { lock: 'exclusive-file', onWarning: (message) => warnings.push(message) })
    await Promise.all(['a', 'b', 'c'].map((path) => storage.update(path, one)))
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
    expect(await storage.update('a', one)).toMatchObject({ ok: true })
    expect(await storage.update('a', one)).toMatchObject({ ok: true })
    expect(told).toBe(1)
  })

  it('takes no lock file along when it moves a folder, nor stumbles over its own in an empty one', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lock: 'exclusive-file', ...quiet })
    await storage.update(PATH, one)
    expect(await storage.move('memories', 'old')).toMatchObject({ ok: true })
    expect(await storage.list('')).toMatchObject({ value: [{ path: 'old/MEMORY.md' }] })
    mkdirSync(join(home, 'memories'))
    expect(await storage.move('old', 'memories')).toMatchObject({ ok: true })
    expect(filesOnDisk(home).filter((name) => !name.startsWith('.locks'))).toEqual(['memories', PATH].sort())
  })

  it.each([
    ['a takeover', ['.excl.takeover']],
    ['a lock and its takeover', ['.excl', '.excl.takeover']],
    ['a takeover of a takeover', ['.excl', '.excl.takeover', '.excl.takeover.takeover']],
  ])('continues at once after processes were killed that left %s', async (_, suffixes) => {
    const home = temporaryFolder()
    const dead = await deadHolder()
    mkdirSync(join(home, 'memories'))
    for (const suffix of suffixes) writeFileSync(join(home, `${LOCK}${suffix}`), dead)
    const storage = fileSystemBackend(home, { lock: 'exclusive-file', lockTimeoutMs: 1000, ...quiet })
    expect(await storage.list('')).toEqual({ ok: true, value: [] })
    for (const suffix of suffixes) {
      expect(await storage.read(`${LOCK}${suffix}`)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    }
    expect(await storage.update(PATH, one)).toMatchObject({ ok: true })
    if (suffixes.includes('.excl')) expect(filesOnDisk(join(home, 'memories'))).toEqual(['MEMORY.md'])
  })

  it('waits while a live process takes over from a dead one', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'memories'))
    const takeover = join(home, `${LOCK}.excl.takeover`)
    writeFileSync(join(home, `${LOCK}.excl`), await deadHolder())
    writeFileSync(takeover, JSON.stringify({ ...CURRENT_PROCESS, at: 0 }))
    const impatient = await fileSystemBackend(home, { lock: 'exclusive-file', lockTimeoutMs: 20, ...quiet }).update(PATH, one)
    expect(impatient).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(existsSync(takeover)).toBe(true)
  })

  it('writes nothing while it waits for another process', async () => {
    const home = temporaryFolder()
    await hold(home, 'exclusive-file', PATH)
    const folder = join(home, 'memories')
    const before = statSync(folder, { bigint: true })
    const impatient = await fileSystemBackend(home, { lock: 'exclusive-file', lockTimeoutMs: 40, ...quiet }).update(PATH, one)
    expect(impatient).toMatchObject({ ok: false, error: { code: 'locked' } })
    const { mtimeNs, ctimeNs } = statSync(folder, { bigint: true })
    expect([mtimeNs, ctimeNs]).toEqual([before.mtimeNs, before.ctimeNs])
  })

  it('leaves no lock file behind', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lock: 'exclusive-file', ...quiet })
    await storage.update(PATH, one)
    await storage.move(PATH, 'a')
    expect(filesOnDisk(home).filter((name) => name.includes('.excl') || name.includes('.hermes-tmp'))).toEqual([])
  })

  it('never takes over from a live process, another host, or a holder it cannot read', async () => {
    const home = temporaryFolder()
    const file = join(home, `${LOCK}.excl`)
    mkdirSync(join(home, 'memories'))
    const dead = JSON.parse(await deadHolder())
    for (const content of [
      JSON.stringify({ ...CURRENT_PROCESS, at: 0 }),
      JSON.stringify({ ...dead, host: 'elsewhere' }),
      'gibberish',
      '{"pid":-1}',
    ]) {
      writeFileSync(file, content)
      const outcome = await fileSystemBackend(home, { lock: 'exclusive-file', lockTimeoutMs: 20, ...quiet }).update(PATH, one)
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
    expect(await fileSystemBackend(home, { lock: 'exclusive-file', ...quiet }).update(PATH, one)).toMatchObject({ ok: true })
  })

  it.each([
    ['the lock of a dead one', ['.excl']],
    ['the lock and the takeover of dead ones', ['.excl', '.excl.takeover']],
  ])('keeps every update when many processes find %s', async (_, suffixes) => {
    const home = temporaryFolder()
    const config = { home, lock: 'exclusive-file' as const }
    mkdirSync(join(home, 'memories'))
    const dead = await deadHolder()
    const writers = Array.from({ length: 6 }, (_, writer) => startWriter({ module, config, path: PATH, writer: `${writer}`, times: 20 }))
    await Promise.all(writers.map((writer) => writer.ready))
    for (const suffix of suffixes) writeFileSync(join(home, `${LOCK}${suffix}`), dead)
    for (const writer of writers) writer.go()
    const acknowledged = (await Promise.all(writers.map((writer) => writer.finished))).flat()
    const kept = await entriesAt(fileSystemBackend(home, { lock: 'exclusive-file', ...quiet }), PATH)
    expect(acknowledged).toHaveLength(120)
    expect([...kept].sort()).toEqual([...acknowledged].sort())
    expect(temporaryFilesOnDisk(home)).toEqual([])
  })
})
