/** What only a folder has: modes, links, locks of others, faults of the disk. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Result } from '../../src/shared/result.ts'
import { FileBackend, type FileBackendOptions } from '../../src/storage/files/file-backend.ts'
import { flockCalls } from '../../src/storage/files/flock.ts'
import type { Step } from '../../src/storage/files/home-writer.ts'
import { encodeHead, encodeRecord, FRAME, HEAD } from '../../src/storage/files/log-record.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { filesOnDisk, temporaryFilesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const opened = (home: string, options: FileBackendOptions = {}): StorageBackend => {
  const storage = new FileBackend(home, options)
  onTestFinished(() => storage.close())
  return storage
}

const put = (storage: StorageBackend, documents: Readonly<Record<string, string>>) =>
  storage.update(Object.keys(documents), () => ({
    put: Object.fromEntries(Object.entries(documents).map(([path, text]) => [path, bytes(text)])),
    value: 'done',
  }))

const textOf = async (storage: StorageBackend, path: string): Promise<string | undefined> => {
  const cut = await storage.read([path])
  if (!cut.ok) throw cut.error
  const document = cut.value.document(path)
  return document && new TextDecoder().decode(document.bytes)
}

const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code)

const pathsOf = async (storage: StorageBackend): Promise<readonly string[]> => {
  const listed = await storage.list('')
  if (!listed.ok) throw listed.error
  return listed.value.map(({ path }) => path)
}

/** Fails once, or each time, at a step. */
const failingAt = (step: Step, code = 'ENOSPC') => {
  const fault = { isOn: true }
  const atStep = (now: Step) => {
    if (fault.isOn && now === step) throw Object.assign(new Error(`${code}: at ${step}`), { code })
  }
  return { fault, atStep }
}

describe('a fault', () => {
  const before = { a: 'one', b: 'two', log: 'l' }
  const change = (storage: StorageBackend) =>
    storage.update(['a', 'b', 'log', 'memories/MEMORY.md'], () => ({
      put: { a: bytes('1'), b: null, 'memories/MEMORY.md': bytes('m') },
      append: { log: bytes('+') },
      value: 0,
    }))

  it.each(['logged', 'placed'] as const)('at the step %s, after the log, is made good by the next call', async (step) => {
    for (const next of ['read', 'update'] as const) {
      const home = temporaryFolder()
      await put(opened(home), before)
      const result = await change(opened(home, failingAt(step)))
      expect(codeOf(result)).toBe('no_space')
      expect(!result.ok && [result.error.details['isInLog'], /do not repeat it/.test(result.error.message)]).toEqual([true, true])
      const other = opened(home)
      if (next === 'update') expect(codeOf(await put(other, { c: 'three' }))).toBe('ok')
      expect(await textOf(other, 'a')).toBe('1')
      expect(await textOf(other, 'log')).toBe('l+')
      expect(await textOf(other, 'memories/MEMORY.md')).toBe('m')
      expect(await textOf(other, 'b')).toBeUndefined()
      expect(temporaryFilesOnDisk(home)).toEqual([])
    }
  })

  it('of a finished record keeps what somebody else wrote meanwhile, and puts ours beside it', async () => {
    const home = temporaryFolder()
    await put(opened(home), { ...before, 'memories/MEMORY.md': 'old' })
    await opened(home, failingAt('logged')).update(['a', 'b', 'log', 'memories/MEMORY.md'], () => ({
      put: { a: bytes('ours'), b: null, 'memories/MEMORY.md': bytes('old\n§\nours') },
      append: { log: bytes('+ours') },
      value: 0,
    }))
    writeFileSync(join(home, 'a'), 'theirs')
    writeFileSync(join(home, 'b'), 'theirs')
    appendFileSync(join(home, 'log'), '+theirs')
    writeFileSync(join(home, 'memories/MEMORY.md'), 'old\n§\ntheirs')
    const warnings: string[] = []
    const storage = opened(home, { onWarning: (message) => warnings.push(message) })
    expect(await textOf(storage, 'a')).toBe('theirs')
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toMatch(/met 'a'.* in 'a\.hermes-2'/)
    expect(warnings[1]).toMatch(/met 'b'.*kept\.$/)
    expect(await textOf(storage, 'a.hermes-2')).toBe('ours')
    expect(await textOf(storage, 'b')).toBe('theirs')
    expect(await textOf(storage, 'log')).toBe('l+theirs+ours')
    expect(await textOf(storage, 'memories/MEMORY.md')).toBe('old\n§\ntheirs\n§\nours')
  })

  it('of a log of a newer version says to update', async () => {
    const home = temporaryFolder()
    const first = opened(home)
    await put(first, before)
    await first.close()
    const log = join(home, '.hermes/log')
    writeFileSync(log, 'hermes-log 2 00000000 {}\n'.concat(readFileSync(log, 'latin1').slice(25)), 'latin1')
    const written = readFileSync(log)
    const storage = new FileBackend(home)
    for (const result of [await put(storage, { a: 'two' }), await storage.read(['a'])]) {
      expect(codeOf(result)).toBe('unreadable')
      expect(!result.ok && result.error.message).toMatch(/Update @hermes\/core/)
    }
    expect(readFileSync(log).equals(written)).toBe(true)
  })

  it('of the header of the log says what to do', async () => {
    const home = temporaryFolder()
    const first = opened(home)
    await put(first, before)
    await first.close()
    const log = join(home, '.hermes/log')
    const damaged = readFileSync(log).fill('x', 30, 40)
    writeFileSync(log, damaged)
    for (const storage of [opened(home), opened(home)])
      for (const result of [await storage.read(['a']), await put(storage, { a: 'two' })]) {
        expect(codeOf(result)).toBe('unreadable')
        expect(!result.ok && result.error.message).toMatch(/header of '\.hermes\/log' is damaged\. Move the file away/)
      }
    expect(readFileSync(log).equals(damaged)).toBe(true)
  })

  it('of half a record behind the mark is forgotten', async () => {
    const home = temporaryFolder()
    const storage = opened(home)
    await put(storage, { a: 'one' })
    await storage.close()
    const record = await encodeRecord({
      number: 2,
      tag: '',
      moves: [],
      changes: [{ path: 'b', offset: 0, bytes: bytes('half'), executable: false }],
    })
    const log = readFileSync(join(home, '.hermes/log'))
    log.set(record.subarray(0, record.length - 2), 256)
    writeFileSync(join(home, '.hermes/log'), log)
    const other = opened(home)
    expect(await pathsOf(other)).toEqual(['a'])
    expect(codeOf(await put(other, { c: 'three' }))).toBe('ok')
    expect(await pathsOf(opened(home))).toEqual(['a', 'c'])
  })
})

describe('a lock', () => {
  it('of Python keeps only those waiting that name its document', async () => {
    const home = temporaryFolder()
    const storage = opened(home, { timeoutMs: 300 })
    await put(storage, { 'memories/MEMORY.md': 'one' })
    const python = openSync(join(home, 'memories/MEMORY.md.lock'), 'a+')
    // The storage keeps the lock a moment longer, for an update that may follow.
    await expect.poll(() => flockCalls()?.lock(python)).toBe(true)
    const waiting = put(storage, { 'memories/MEMORY.md': 'two' })
    const others = [await put(storage, { a: 'one' }), await put(storage, { b: 'two' })]
    expect(others.map(codeOf)).toEqual(['ok', 'ok'])
    const result = await waiting
    expect(codeOf(result)).toBe('locked')
    expect(!result.ok && result.error.message).toContain('memories/MEMORY.md.lock')
    if (process.platform === 'linux') expect(!result.ok && result.error.details).toMatchObject({ holder: process.pid })
    closeSync(python)
    expect(codeOf(await put(storage, { 'memories/MEMORY.md': 'three' }))).toBe('ok')
  })

  it('is not waited for when the disk hangs: that is another error', async () => {
    const home = temporaryFolder()
    let goOn = () => {}
    const waits = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const storage = opened(home, { timeoutMs: 400, atStep: (step) => (step === 'prepared' ? waits : undefined) })
    const [first, second] = await Promise.all([put(storage, { a: 'one' }), put(storage, { a: 'two' })])
    expect([codeOf(first), codeOf(second)]).toEqual(['io', 'io'])
    expect(!first.ok && first.error.message).toMatch(/read before you repeat it/)
    goOn()
  })

  it('is not the reason, nor the disk, when a long update goes on step by step', async () => {
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 100))
    const storage = opened(temporaryFolder(), { timeoutMs: 400, atStep: pause })
    const [first, second] = await Promise.all([put(storage, { a: 'one' }), put(storage, { b: 'two' })])
    expect([codeOf(first), codeOf(second)]).toEqual(['ok', 'ok'])
  })

  it('of the kind file is taken over after 30 seconds of silence', async () => {
    const home = temporaryFolder()
    const held = join(home, '.hermes/lock.held')
    mkdirSync(dirname(held))
    writeFileSync(held, 'somebody')
    const storage = opened(home, { lock: 'exclusive-file', timeoutMs: 400 })
    expect(await put(storage, { a: 'one' })).toMatchObject({ ok: false, error: { code: 'locked', details: { lock: held } } })
    const silent = Date.now() / 1000 - 31
    utimesSync(held, silent, silent)
    const other = opened(home, { lock: 'exclusive-file' })
    expect(codeOf(await put(other, { a: 'one' }))).toBe('ok')
    await other.close()
    expect(filesOnDisk(join(home, '.hermes'))).toEqual(['kind', 'log'])
  })
})

describe('a home is not blocked, and loses nothing', () => {
  it('by what a killed process has left in a folder that a document takes the place of', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'notes/a'), { recursive: true })
    writeFileSync(join(home, 'notes/a/.hermes-tmp-x-1-0'), 'half')
    const storage = opened(home)
    expect(codeOf(await put(storage, { 'notes/a': 'one' }))).toBe('ok')
    mkdirSync(join(home, 'notes/b'))
    symlinkSync('nowhere', join(home, 'notes/b/link'))
    expect(codeOf(await put(storage, { 'notes/b': 'two' }))).toBe('occupied')
    expect(await textOf(opened(home), 'notes/a')).toBe('one')
  })

  it('where a power cut has taken a record and left the one behind it', async () => {
    const home = temporaryFolder()
    const first = opened(home, { boot: 'first' })
    const update = (storage: StorageBackend, text: string) =>
      storage.update(['b'], () => ({ put: { b: bytes(text) }, value: 0 }), { durable: false })
    await update(first, 'NEW')
    await update(first, 'OLD')
    const log = readFileSync(join(home, '.hermes/log'))
    log.fill(0, HEAD, HEAD + FRAME)
    log.set(encodeHead({ seq: 0, end: HEAD, first: 1, boot: 'first' }))
    writeFileSync(join(home, '.hermes/log'), log)
    unlinkSync(join(home, 'b'))
    const second = opened(home, { boot: 'second' })
    await update(second, 'two')
    expect(await textOf(opened(home, { boot: 'second' }), 'b')).toBe('two')
  })
})

describe('an update that forgets', () => {
  it('also empties the log of what was refused or moved in it', async () => {
    const home = temporaryFolder()
    const fault = { isOn: false }
    const storage = opened(home, {
      atStep: (step) => {
        if (fault.isOn && step === 'prepared') throw Object.assign(new Error('EIO: at prepared'), { code: 'EIO' })
      },
    })
    for (let count = 0; count < 90; count++) await put(storage, { [`n${count % 3}`]: `TOPSECRET ${count} `.repeat(600) })
    fault.isOn = true
    expect(codeOf(await put(storage, { n0: 'TOPSECRET again' }))).toBe('io')
    fault.isOn = false
    const plan = () => ({ put: { n0: null, n1: null, n2: null }, value: 0 })
    expect(codeOf(await storage.update(['n0', 'n1', 'n2'], plan, { forget: true }))).toBe('ok')
    expect(() => execFileSync('grep', ['-rlc', 'TOPSECRET', home])).toThrow()
  })
})

describe('the log', () => {
  it('keeps a durable update behind one that is not', async () => {
    const home = temporaryFolder()
    const storage = opened(home, { boot: 'first' })
    for (let count = 0; count < 4; count++)
      await storage.update(['a'], () => ({ append: { a: bytes(`${count}`) }, value: 0 }), { durable: count % 2 === 1 })
    writeFileSync(join(home, 'a'), '')
    expect(await textOf(opened(home, { boot: 'second' }), 'a')).toBe('0123')
  })
})
