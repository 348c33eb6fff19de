/** What goes wrong with the file is an error with a code, which says what to do. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqliteBackend } from '../src/sqlite-backend.ts'
import { errorOf, move, put, textAt, unwrap } from './support/entries.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const NOBODY = 65_534
const asUser = fileURLToPath(new URL('./support/as-user-main.ts', import.meta.url))

const outcomesAsUser = (file: string): readonly { code: string; message?: string }[] =>
  JSON.parse(execFileSync(process.execPath, [asUser, file, process.getuid?.() === 0 ? `${NOBODY}` : '0'], { encoding: 'utf8' }))

const written = async (file: string, text = 'text'): Promise<void> => {
  const storage = sqliteBackend(file)
  unwrap(await put(storage, 'doc', text))
  await storage.close()
}

describe('the path of the file', () => {
  it.each([[''], [':memory:'], ['file:hermes.db'], ['a\0b'], [undefined], [7]])('is refused if it is %j', (file) => {
    expect(() => Reflect.apply(sqliteBackend, undefined, [file])).toThrow(/TypeError|takes the path of a file such as/)
  })

  it.each([[0], [1.5], ['5'], [600_001]])('is refused with the time limit %j', (timeoutMs) => {
    expect(() => Reflect.apply(sqliteBackend, undefined, ['a.db', { timeoutMs }])).toThrow('timeoutMs must be a whole number')
  })

  it('is of the folder in which the process was when it opened the storage', async () => {
    const folder = temporaryFolder()
    const before = process.cwd()
    process.chdir(folder)
    const storage = sqliteBackend('own.db')
    process.chdir(before)
    unwrap(await put(storage, 'doc', 'text'))
    await storage.close()
    expect(statSync(join(folder, 'own.db')).isFile()).toBe(true)
  })

  it.each(['missing/hermes.db', 'file/hermes.db'])('%s is reported, and works once the folder exists', async (path) => {
    const folder = temporaryFolder()
    if (path.startsWith('file')) writeFileSync(join(folder, 'file'), '')
    const storage = sqliteBackend(join(folder, path))
    const error = errorOf(await put(storage, 'doc', 'text'))
    expect(error).toMatchObject({ code: 'io', message: expect.stringContaining('Its folder does not exist') })
    if (!path.startsWith('file')) {
      mkdirSync(join(folder, 'missing'))
      unwrap(await put(storage, 'doc', 'text'))
    }
    await storage.close()
  })

  it('is reported if a folder is there', async () => {
    const folder = temporaryFolder()
    const storage = sqliteBackend(folder)
    expect(errorOf(await put(storage, 'doc', 'text')).code).toBe('unwritable')
    expect(errorOf(await storage.read(['doc'])).code).toBe('unreadable')
    await storage.close()
  })
})

describe('the content of the file', () => {
  it('is left alone if it is not a database', async () => {
    const file = join(temporaryFolder(), 'notes.txt')
    writeFileSync(file, 'my notes '.repeat(1_000))
    const storage = sqliteBackend(file)
    for (const outcome of [await storage.read(['doc']), await storage.list(''), await put(storage, 'doc', 'x')]) {
      expect(errorOf(outcome)).toMatchObject({ code: 'unreadable', message: expect.stringContaining('restore a backup') })
    }
    await storage.close()
    expect(readFileSync(file, 'utf8')).toBe('my notes '.repeat(1_000))
  })

  it('is left alone if it is the database of another program', async () => {
    const file = join(temporaryFolder(), 'other.db')
    const other = new DatabaseSync(file)
    other.exec("create table notes (text); insert into notes values ('mine')")
    other.close()
    const before = readFileSync(file)
    const storage = sqliteBackend(file)
    expect(errorOf(await put(storage, 'doc', 'x'))).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('Choose another path'),
    })
    await storage.close()
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('is refused if a newer version wrote it', async () => {
    const file = join(temporaryFolder(), 'hermes.db')
    await written(file)
    const newer = new DatabaseSync(file)
    newer.exec('pragma user_version = 2')
    newer.close()
    const storage = sqliteBackend(file)
    expect(errorOf(await storage.read(['doc']))).toMatchObject({ code: 'io', message: expect.stringContaining('Update the package') })
    await storage.close()
  })

  it('is unreadable where it is damaged', async () => {
    const file = join(temporaryFolder(), 'hermes.db')
    await written(file, 'text'.repeat(10_000))
    const damaged = readFileSync(file)
    damaged.fill(0xff, 4_096)
    writeFileSync(file, damaged)
    const storage = sqliteBackend(file)
    expect(errorOf(await storage.read(['doc'])).code).toBe('unreadable')
    expect(errorOf(await storage.list('')).code).toBe('unreadable')
    expect(errorOf(await put(storage, 'doc', 'x')).code).toBe('unreadable')
    await storage.close()
  })

  it('is read from a backup that SQLite made, which works like the original', async () => {
    const folder = temporaryFolder()
    await written(join(folder, 'hermes.db'))
    const original = new DatabaseSync(join(folder, 'hermes.db'))
    original.exec(`vacuum into '${join(folder, 'backup.db')}'`)
    original.close()
    const storage = sqliteBackend(join(folder, 'backup.db'))
    expect(await textAt(storage, 'doc')).toBe('text')
    unwrap(await put(storage, 'doc', 'more'))
    expect(statSync(join(folder, 'backup.db-wal')).size).toBeGreaterThan(0)
    await storage.close()
  })
})

describe('other writers', () => {
  it('are waited for, with the event loop free, up to the time limit', async () => {
    const file = join(temporaryFolder(), 'hermes.db')
    await written(file)
    const holder = new DatabaseSync(file)
    holder.exec('begin immediate')
    const storage = sqliteBackend(file, { timeoutMs: 300 })
    const patient = sqliteBackend(file)
    let turns = 0
    let isWaiting = true
    const count = () => {
      turns += 1
      if (isWaiting) setImmediate(count)
    }
    setImmediate(count)
    const waiting = put(patient, 'doc', 'later')
    const refused = errorOf(await put(storage, 'doc', 'x'))
    expect(refused).toMatchObject({ code: 'locked', message: expect.stringContaining('Try again later') })
    expect(errorOf(await move(storage, 'doc', 'b')).code).toBe('locked')
    isWaiting = false
    expect(turns).toBeGreaterThan(20)
    expect(await textAt(storage, 'doc')).toBe('text')
    holder.exec('rollback')
    holder.close()
    unwrap(await waiting)
    expect(await textAt(storage, 'doc')).toBe('later')
    await Promise.all([storage.close(), patient.close()])
  })
})

describe.runIf(process.platform !== 'win32')('permissions', () => {
  const modesIn = (file: string) => ['', '-wal', '-shm'].map((end) => (statSync(`${file}${end}`).mode & 0o777).toString(8))

  it('close all files to other users, whatever the umask', async () => {
    const file = join(temporaryFolder(), 'hermes.db')
    const before = process.umask(0)
    onTestFinished(() => void process.umask(before))
    const storage = sqliteBackend(file)
    unwrap(await put(storage, 'doc', 'text'))
    expect(modesIn(file)).toEqual(['600', '600', '600'])
    await storage.close()
    chmodSync(file, 0o644)
    const again = sqliteBackend(file)
    unwrap(await put(again, 'doc', 'more'))
    expect(modesIn(file)).toEqual(['600', '600', '600'])
    await again.close()
  })

  it('hold for the target of a link', async () => {
    const folder = temporaryFolder()
    const target = join(folder, 'target.db')
    writeFileSync(target, '', { mode: 0o644 })
    symlinkSync(target, join(folder, 'link.db'))
    const storage = sqliteBackend(join(folder, 'link.db'))
    unwrap(await put(storage, 'doc', 'text'))
    expect(modesIn(target)).toEqual(['600', '600', '600'])
    await storage.close()
  })

  it('let a user read who may only read, and refuse the write', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'hermes.db')
    await written(file)
    if (process.getuid?.() === 0) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY)
    chmodSync(file, 0o400)
    const [read, listed, updated] = outcomesAsUser(file)
    expect([read?.code, listed?.code]).toEqual(['ok', 'ok'])
    expect(updated).toMatchObject({ code: 'unwritable', message: expect.stringContaining('owners and permissions') })
  })

  it('say so where the folder cannot be written, even in order to read', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'hermes.db')
    await written(file)
    if (process.getuid?.() === 0) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY)
    chmodSync(folder, 0o500)
    const outcomes = outcomesAsUser(file)
    chmodSync(folder, 0o700)
    expect(outcomes.map(({ code }) => code)).toEqual(['unreadable', 'unreadable', 'unwritable'])
    for (const { message } of outcomes) expect(message).toContain('writes beside the file')
  })
})

describe('a full disk', () => {
  it('is no_space, and keeps the old content', async (context) => {
    const folder = temporaryFolder()
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder])
    if (mounted.status !== 0) return context.skip('a small file system cannot be mounted here (needs root)')
    onTestFinished(() => void spawnSync('umount', ['-l', folder]))
    const storage = sqliteBackend(join(folder, 'hermes.db'))
    unwrap(await put(storage, 'doc', 'old'))
    const error = errorOf(await put(storage, 'doc', new Uint8Array(2_000_000)))
    expect(error).toMatchObject({ code: 'no_space', message: expect.stringContaining('Free some space') })
    expect(await textAt(storage, 'doc')).toBe('old')
    unwrap(await put(storage, 'doc', 'new'))
    await storage.close()
  })
})
