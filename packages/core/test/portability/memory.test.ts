/** Memory in an export: an interrupted import, an archive that cannot be read, facts about entries that are gone. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseFacts } from '../../src/memory/facts.ts'
import { collectExport } from '../../src/portability/export-home.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { FACTS_PATH, MEMORY_ARCHIVE_PATH } from '../../src/storage/storage-paths.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { unwrap, write } from '../support/skill-library.ts'
import { openHome } from './homes.ts'

const IMPORTED = 'It was imported from an archive.'
const ENTRIES = ['Uses pnpm', 'Deploys on Fridays', 'Likes tea']

const sourceWithPins = async () => {
  const source = openHome()
  const store = source.hermes.memoryStore()
  for (const content of ENTRIES) {
    unwrap(await store.apply('memory', { action: 'add', content }, { origin: 'user' }))
    unwrap(await store.pin('memory', content))
  }
  return source
}

/** Refuses every update after so many. */
const failingAfter = (storage: StorageBackend, updates: number): StorageBackend => {
  let left = updates
  return {
    ...storage,
    update: async (paths, plan, options) =>
      left-- > 0 ? storage.update(paths, plan, options) : err(new HermesError('io', 'The disk is gone.')),
  }
}

describe('an import of memory', () => {
  it('is one update, and all that failed before it is imported by the next one: each entry with its pin and its records', async () => {
    const archive = unwrap(await (await sourceWithPins()).hermes.export())
    for (let updates = 0, isWhole = false; !isWhole; updates++) {
      expect(updates).toBeLessThan(2)
      const storage = inMemoryBackend()
      isWhole = (await openHome(failingAfter(storage, updates)).hermes.import(archive)).ok
      const { hermes } = openHome(storage)
      expect(unwrap(await hermes.import(archive)).refused).toEqual([])
      const facts = unwrap(await hermes.memoryStore().facts('memory'))
      expect(facts.map(({ entry, pinned }) => [entry, pinned])).toEqual(ENTRIES.map((entry) => [entry, true]))
      const records = unwrap(await hermes.journal.list()).filter(({ reason }) => reason === IMPORTED)
      const said = records.map(({ op, upkeep }) => (op && 'content' in op ? `add ${op.content}` : `${upkeep?.action} ${upkeep?.subject}`))
      expect([updates, said]).toEqual([updates, ENTRIES.flatMap((entry) => [`add ${entry}`, `pin ${entry}`])])
    }
  })

  it('puts whatever does not fit into the memory archive, however many entries that are', async () => {
    const source = openHome(inMemoryBackend(), { memory: { memoryCharLimit: 10_000 } })
    const entries = Array.from({ length: 9 }, (_, index) => `${index} ${'word '.repeat(160)}end`)
    for (const content of entries) unwrap(await source.hermes.memoryStore().apply('memory', { action: 'add', content }, { origin: 'user' }))
    const { hermes } = openHome()
    const report = unwrap(await hermes.import(unwrap(await source.hermes.export())))
    expect(report).toMatchObject({ archivedInstead: 7, refused: [], counts: { memory: { added: 9 } } })
    expect(unwrap(await hermes.memoryStore().archived())).toHaveLength(7)
  })

  it('goes on if the memory archive of this home cannot be read', async () => {
    const source = await sourceWithPins()
    unwrap(await source.hermes.memoryStore().apply('memory', { action: 'remove', oldText: 'Likes tea' }, { origin: 'user' }))
    await write(source.storage, { 'skills/pdf/SKILL.md': '---\nname: pdf\ndescription: How to pdf.\n---\n\nDo it.\n' })
    const root = temporaryFolder()
    mkdirSync(join(root, MEMORY_ARCHIVE_PATH), { recursive: true })
    writeFileSync(join(root, MEMORY_ARCHIVE_PATH, 'note.txt'), 'x')
    const { hermes } = openHome(fileSystemBackend(root))
    for (const dryRun of [true, false]) {
      const report = unwrap(await hermes.import(unwrap(await source.hermes.export()), { dryRun }))
      expect(report.refused).toEqual([expect.objectContaining({ part: 'memoryArchive', name: MEMORY_ARCHIVE_PATH })])
      expect(report.counts).toMatchObject({ memory: { added: 2 }, skills: { added: 1 } })
    }
  })
})

describe('an export of memory', () => {
  const factsIn = async (storage: StorageBackend) => unwrap(parseFacts(unwrap(await readDocument(storage, FACTS_PATH))?.bytes)).facts.memory

  it('holds no facts about entries that something else has removed', async () => {
    const source = await sourceWithPins()
    await write(source.storage, { 'memories/MEMORY.md': 'Uses pnpm' })
    expect([...(await factsIn(source.storage)).keys()]).toEqual(ENTRIES)

    const { contents } = unwrap(await collectExport(source.storage))
    const facts = unwrap(parseFacts(contents.get(FACTS_PATH)?.bytes)).facts
    expect([...facts.memory.keys()]).toEqual(['Uses pnpm'])
  })
})
