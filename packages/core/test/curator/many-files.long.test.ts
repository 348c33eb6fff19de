/** A rollback and a merge of 500 files are each one update, and a disk that is full in the middle of such a rollback leaves all of it or nothing. */
import { cpSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { createFailingDisk } from '../storage/support/failing-disk.ts'
import { temporaryFilesOnDisk, temporaryFolder } from '../storage/support/temporary-home.ts'
import { fillLibrary, NOON, pathsIn, unwrap } from '../support/curator-library.ts'
import { createSkillBackup } from '../support/open-curator.ts'

const FILES = 500
const DEMOTE = `\`\`\`yaml
consolidations:
  - { from: tea-green, into: tea-black, reason: the same task, method: demote }
\`\`\``

const disk = createFailingDisk()

const openFiles = (home: string): StorageBackend => {
  const storage = fileSystemBackend(home, { onWarning: () => undefined })
  onTestFinished(() => storage.close())
  return storage
}

/** `updates`: the numbers of documents that were put and moves that were made, of each update that did any. */
const openCurator = (storage: StorageBackend) => {
  const updates: { readonly puts: number; readonly moves: number }[] = []
  const counted: StorageBackend = {
    list: (folder) => storage.list(folder),
    read: (paths) => storage.read(paths),
    close: () => storage.close(),
    update: (paths, plan) =>
      storage.update(paths, (cut) => {
        const planned = plan(cut)
        updates.push({ puts: Object.keys(planned.put ?? {}).length, moves: planned.move?.length ?? 0 })
        return planned
      }),
  }
  const { curator } = createHermes({
    storage: counted,
    clock: () => NOON,
    gate: async () => ({ ok: true, value: { approved: true, reason: 'yes', origin: 'assistant' } }),
    curator: { model: async () => DEMOTE },
    onEvent: () => undefined,
  })
  return { curator, updates }
}

const putFiles = async (storage: StorageBackend, text: string): Promise<void> => {
  const files = Array.from({ length: FILES }, (_, index) => [
    `skills/tea-green/references/file-${index}.md`,
    new TextEncoder().encode(`${text} ${index}\n`),
  ])
  unwrap(await storage.update(['skills/'], () => ({ put: Object.fromEntries(files), value: undefined })))
}

/** Two skills, one of them with 500 files, a backup of them, and other texts in all of the files since. */
const prepare = async (): Promise<string> => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home)
  await fillLibrary(storage, { 'tea-green': { idleDays: 1 }, 'tea-black': { idleDays: 1 } })
  await putFiles(storage, 'then')
  unwrap(await createSkillBackup({ storage, clock: () => Date.UTC(2026, 4, 20), reason: 'manual' }))
  await putFiles(storage, 'now')
  await storage.close()
  return home
}

/** How many of the files have the text of the backup, and how many the later one. */
const textsOf = async (storage: StorageBackend): Promise<{ readonly old: number; readonly new: number }> => {
  const paths = (await pathsIn(storage, 'skills')).filter((path) => path.includes('/references/'))
  const cut = unwrap(await storage.read(paths))
  const texts = paths.map((path) => new TextDecoder().decode(cut.document(path)?.bytes))
  const beginningWith = (word: string) => texts.filter((text) => text.startsWith(word)).length
  return { old: beginningWith('then '), new: beginningWith('now ') }
}

const THEN = { old: FILES, new: 0 }
const NOW = { old: 0, new: FILES }

describe('500 files', () => {
  it('are rolled back in one update', { timeout: 60_000 }, async () => {
    const storage = openFiles(await prepare())
    expect(await textsOf(storage)).toEqual(NOW)
    const { curator, updates } = openCurator(storage)
    expect(unwrap(await curator.rollback('2026-05-20')).restored).toHaveLength(FILES)
    expect(updates.filter(({ puts }) => puts > 0)).toEqual([{ puts: expect.any(Number), moves: 0 }])
    expect(await textsOf(storage)).toEqual(THEN)
  })

  it('of a skill that is merged come along in one update', { timeout: 60_000 }, async () => {
    const storage = openFiles(await prepare())
    const { curator, updates } = openCurator(storage)
    const run = unwrap(await curator.run({ consolidate: true }))
    expect(run.problems).toEqual([])
    expect(run.consolidation?.consolidated).toMatchObject([{ name: 'tea-green', into: 'tea-black' }])
    expect(updates.filter(({ moves }) => moves > 0)).toHaveLength(1)
    expect(await textsOf(storage)).toMatchObject({ old: 0 })
    const paths = await pathsIn(storage, 'skills')
    expect(paths.filter((path) => path.startsWith('skills/.archive/tea-green/references/'))).toHaveLength(FILES)
    expect(paths.filter((path) => path.startsWith('skills/tea-green/'))).toEqual([])
  })
})

describe.runIf(process.platform !== 'win32')('a disk that is full in the middle of a rollback of 500 files', () => {
  it('leaves all of it or nothing, and the next one works', { timeout: 300_000 }, async () => {
    const before = await prepare()
    const rollBack = async (home: string, failing: number) => {
      const storage = openFiles(home)
      const { curator } = openCurator(storage)
      Object.assign(disk, { home, failing, calls: [] })
      const done = await curator.rollback('2026-05-20')
      await storage.close()
      disk.failing = -1
      return done
    }
    const copy = (): string => {
      const home = temporaryFolder()
      cpSync(before, home, { recursive: true })
      return home
    }
    unwrap(await rollBack(copy(), -1))
    const writes = disk.calls.flatMap((call, index) => (/^(?:write|rename|mkdir|fsync|fdatasync) /.test(call) ? [index] : []))
    expect(writes.length).toBeGreaterThan(FILES)
    const outcomes: { readonly code: string; readonly isAll: boolean }[] = []
    for (const part of [0, 0.01, 0.3, 0.6, 0.95, 0.999]) {
      disk.error = (call) => Object.assign(new Error(`ENOSPC: no space left on device, ${call}`), { code: 'ENOSPC' })
      const failing = writes[Math.floor(part * writes.length)] ?? 0
      const home = copy()
      const done = await rollBack(home, failing)
      const call = disk.calls[failing]?.replace(home, '')
      const storage = openFiles(home)
      const texts = await textsOf(storage)
      outcomes.push({ code: done.ok ? 'ok' : done.error.code, isAll: texts.old === FILES })
      expect(done.ok ? [THEN] : [NOW, THEN], call).toContainEqual(texts)
      expect(temporaryFilesOnDisk(home), call).toEqual([])
      unwrap(await openCurator(storage).curator.rollback('2026-05-20'))
      expect(await textsOf(storage), call).toEqual(THEN)
    }
    // Full before the update was in the log, and behind it.
    expect(outcomes).toContainEqual({ code: 'no_space', isAll: false })
    expect(outcomes).toContainEqual({ code: 'no_space', isAll: true })
  })
})
