/** Exports a home that was filled by the real loop and imports it into another home, on real files. */
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPending } from '../../src/journal/pending.ts'
import { parseFacts } from '../../src/memory/facts.ts'
import { collectExport } from '../../src/portability/export-home.ts'
import { readExportManifest } from '../../src/portability/open-export.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { FACTS_PATH } from '../../src/storage/storage-paths.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { skillText, textAt, unwrap, write } from '../support/skill-library.ts'
import { bytesOf, contentsOf, fillHome, listWithTar, openHome, packFiles } from './homes.ts'

const filledHome = async (storage = inMemoryBackend()) => {
  const home = openHome(storage)
  await fillHome(home.hermes, storage, (ms) => home.clock.advance(ms))
  expect(home.failures).toEqual([])
  return home
}

describe('export and import', () => {
  it('carry a home to another one, whole: text, provenance, skills with rights, counts, archives, journal, what waits', async () => {
    const [first, second] = [temporaryFolder(), temporaryFolder()]
    const source = await filledHome(fileSystemBackend(first))
    const archive = unwrap(await source.hermes.export())
    const target = openHome(fileSystemBackend(second))
    target.clock.advance(90 * 24 * 3_600_000)

    const report = unwrap(await target.hermes.import(archive))

    expect(report.refused).toEqual([])
    expect(report.changed).toBe(true)
    const before = await contentsOf(source.hermes, source.storage)
    expect(before.memory.map(({ origin }) => origin)).toEqual(['tool', 'assistant', 'external'])
    expect(before.user).toHaveLength(1)
    expect(before.pending).toHaveLength(1)
    expect(before.archived).toHaveLength(1)
    expect(await contentsOf(target.hermes, target.storage)).toEqual(before)
    expect(statSync(join(second, 'skills/ops/deploy/scripts/run.sh')).mode & 0o777).toBe(0o700)
    const ids = new Set(unwrap(await target.hermes.journal.list()).map(({ id }) => id))
    for (const { id } of unwrap(await source.hermes.journal.list())) expect(ids.has(id)).toBe(true)
    expect(unwrap(await target.hermes.journal.list({ limit: 1 }))[0]).toMatchObject({
      kind: 'applied',
      reason: 'It was imported from an archive.',
    })
  })

  it('leave a waiting merge at home, and take none from an archive', async () => {
    const source = openHome()
    const queue = createPending({ storage: source.storage, clock: source.clock })
    const proposal = {
      target: 'skill',
      op: { action: 'create', name: 'ops', content: skillText('ops') },
      rationale: 'r',
      score: 1,
    } as const
    const sources = [{ name: 'one', path: 'one', reason: 'merged', files: [{ path: 'SKILL.md', version: 'v' }] }]
    const merge = { path: 'ops', createdBy: 'agent', sources } as const
    const held = unwrap(await queue.hold({ proposals: [proposal], reason: 'r', origin: 'tool', base: null, files: [], merge }))
    const path = `pending/skills/${held.id}.json`
    const manifest = unwrap(await readExportManifest(unwrap(await source.hermes.export())))
    expect(manifest).toMatchObject({ counts: { pending: 0 }, files: [], leftOut: [{ path, why: 'waiting merge' }] })
    const target = openHome()
    const report = unwrap(await target.hermes.import(await packFiles({ [path]: (await textAt(source.storage, path)) ?? '' })))
    expect(report).toMatchObject({ changed: false, refused: [{ name: path, code: 'invalid' }] })
    expect(unwrap(await target.hermes.pending.list())).toEqual([])
  })

  it('change nothing the second time, to the byte, and say so', async () => {
    const source = await filledHome()
    const archive = unwrap(await source.hermes.export())
    const target = openHome()
    const first = unwrap(await target.hermes.import(archive))
    const before = await bytesOf(target.storage)

    const second = unwrap(await target.hermes.import(archive))

    expect(await bytesOf(target.storage)).toEqual(before)
    expect(second).toMatchObject({ changed: false, refused: [] })
    for (const [part, { added, alreadyThere }] of Object.entries(first.counts))
      expect([part, second.counts[part as keyof typeof second.counts]]).toEqual([
        part,
        { added: 0, alreadyThere: added + alreadyThere, held: 0, refused: 0 },
      ])
    // Importing its own export does not change a home either.
    const own = await bytesOf(source.storage)
    expect(unwrap(await source.hermes.import(archive))).toMatchObject({ changed: false, refused: [] })
    expect(await bytesOf(source.storage)).toEqual(own)
  })

  it('make a file that any tar opens, with nothing in it that stays at home', async () => {
    const source = await filledHome()
    await write(source.storage, {
      'auth.json': '{}',
      '.env': 'KEY=1',
      'skills/.hub/lock.json': '{}',
      'skills/loose.txt': 'x',
      'memories/notes.txt': 'x',
    })
    const folder = temporaryFolder()
    const file = join(folder, 'export.tar.gz')
    writeFileSync(file, unwrap(await source.hermes.export()))
    const names = listWithTar(file)
    expect(names[0]).toBe('hermes-export.json')
    expect(names).toEqual([...names].sort())
    expect(
      names.filter(
        (name) =>
          !/^(hermes-export\.json$|journal\/\d{4}-\d\d-\d\d\.jsonl$|memories\/(MEMORY|USER)\.md|memories\/\.(facts|archive)\.jsonl$|pending\/|skills\/(\.usage\.json|\.archive\/|ops\/deploy\/|pdf\/))/.test(
            name,
          ),
      ),
    ).toEqual([])
    execFileSync('tar', ['xzf', file, '-C', folder])
    expect(readFileSync(join(folder, 'memories/MEMORY.md'), 'utf8')).toBe(await textAt(source.storage, 'memories/MEMORY.md'))
    expect(statSync(join(folder, 'skills/ops/deploy/scripts/run.sh')).mode & 0o777).toBe(0o700)
    const { counts, files, leftOut } = unwrap(await readExportManifest(new Uint8Array(readFileSync(file))))
    expect(counts).toEqual({ memory: 3, user: 1, memoryArchive: 1, skills: 2, archivedSkills: 1, pending: 1, journalDays: 3 })
    expect(files).toHaveLength(names.length - 1)
    expect(leftOut).toEqual([])
  })
})

describe('an import into a home that has its own', () => {
  it('overwrites nothing, and names what differs', async () => {
    const source = await filledHome()
    const archive = unwrap(await source.hermes.export())
    const target = openHome()
    await write(target.storage, {
      'skills/deploy/SKILL.md': skillText('deploy', 'My own way.'),
      'memories/MEMORY.md': 'Tests take four minutes\n§\nMine alone\n',
    })
    const report = unwrap(await target.hermes.import(archive))
    expect(report.refused).toEqual([expect.objectContaining({ part: 'skills', name: 'skills/ops/deploy', code: 'occupied' })])
    expect(await textAt(target.storage, 'skills/deploy/SKILL.md')).toBe(skillText('deploy', 'My own way.'))
    expect(await target.hermes.usageStore().get('deploy')).toBeUndefined()
    const facts = unwrap(await target.hermes.memoryStore().facts('memory'))
    // A hand-written entry of this home does not become the agent's.
    expect(facts.map(({ entry, origin }) => [entry, origin])).toEqual([
      ['Tests take four minutes', 'external'],
      ['Mine alone', 'external'],
      ['The build needs Node 20', 'tool'],
      ['Written by hand', 'external'],
    ])
  })

  it('does not bring back what was decided here', async () => {
    const archive = unwrap(await (await filledHome()).hermes.export())
    const target = openHome()
    unwrap(await target.hermes.import(archive))
    const [held] = unwrap(await target.hermes.pending.list())
    unwrap(await target.hermes.pending.reject(held?.id ?? ''))
    expect(unwrap(await target.hermes.import(archive))).toMatchObject({ changed: false })
    expect(unwrap(await target.hermes.pending.list())).toEqual([])
  })

  it('does not bring back what is decided while it runs', async () => {
    const archive = unwrap(await (await filledHome()).hermes.export())
    const storage = inMemoryBackend()
    const target = openHome(storage)
    unwrap(await target.hermes.import(archive))
    const [held] = unwrap(await target.hermes.pending.list())
    unwrap(await target.hermes.memoryStore().apply('memory', { action: 'remove', oldText: 'Written by hand' }, { origin: 'user' }))
    await updateDocument(storage, 'memories/.archive.jsonl', () => undefined)
    let isDecided = false
    const watched: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) => {
        if (!isDecided && paths.some((path) => path.startsWith('memories/'))) {
          isDecided = true
          unwrap(await target.hermes.pending.reject(held?.id ?? ''))
        }
        return storage.update(paths, plan, options)
      },
    }
    const report = unwrap(await openHome(watched).hermes.import(archive))
    expect([isDecided, report.counts.pending]).toEqual([true, { added: 0, alreadyThere: 1, held: 0, refused: 0 }])
    expect(unwrap(await target.hermes.pending.list())).toEqual([])
  })

  it('never raises the authority of an entry that exists here', async () => {
    const source = openHome()
    unwrap(await source.hermes.memoryStore().apply('memory', { action: 'add', content: 'Reports go to Anna' }, { origin: 'user' }))
    const target = openHome()
    unwrap(await target.hermes.memoryStore().apply('memory', { action: 'add', content: 'Reports go to Anna' }, { origin: 'tool' }))
    const before = await bytesOf(target.storage)
    const report = unwrap(await target.hermes.import(unwrap(await source.hermes.export())))
    expect(report.counts.memory).toEqual({ added: 0, alreadyThere: 1, held: 0, refused: 0 })
    expect((await bytesOf(target.storage))['memories/.facts.jsonl']).toBe(before['memories/.facts.jsonl'])
  })
})

/** A day of the journal that both homes have: the union of their records, by id and in order of time. */
const DAY = 'journal/2026-03-01.jsonl'
const NOON = Date.UTC(2026, 2, 1, 12)

const line = (minute: number, id = `r${minute}`): string =>
  `${JSON.stringify({ id, at: NOON + minute * 60_000, actor: 'host', kind: 'applied', reason: 'r' })}\n`

const imported = async (current: string, other: string) => {
  const home = openHome()
  await write(home.storage, { [DAY]: current })
  const archive = await packFiles({ [DAY]: other })
  const report = unwrap(await home.hermes.import(archive))
  return { ...home, archive, report, text: await textAt(home.storage, DAY) }
}

describe('an import of a day that exists', () => {
  it('puts records where their time is, behind those of the same time', async () => {
    const { text, report } = await imported(
      line(1) + line(3) + line(3, 'b') + line(9),
      line(0) + line(3, 'c') + line(3) + line(4) + line(10),
    )
    expect(text).toBe(line(0) + line(1) + line(3) + line(3, 'b') + line(3, 'c') + line(4) + line(9) + line(10))
    expect(report.counts.journal).toMatchObject({ added: 4, alreadyThere: 1 })
  })

  it('changes nothing the second time, and adds nothing that another import added meanwhile', async () => {
    const { hermes, storage, archive } = await imported(line(1), line(2))
    const before = await bytesOf(storage)
    expect(unwrap(await hermes.import(archive))).toMatchObject({ changed: false })
    expect(await bytesOf(storage)).toEqual(before)
    const shared = inMemoryBackend()
    await write(shared, { [DAY]: line(1) })
    const both = [openHome(shared), openHome(shared)]
    await Promise.all(both.map((home) => home.hermes.import(archive)))
    expect(await textAt(shared, DAY)).toBe(line(1) + line(2))
  })

  it('leaves a document that is not UTF-8 as it is, and says so', async () => {
    const { hermes, storage } = openHome()
    const bytes = new Uint8Array([0xff, 0xfe, 0x0a])
    unwrap(await updateDocument(storage, DAY, () => bytes))
    const report = unwrap(await hermes.import(await packFiles({ [DAY]: line(1) })))
    expect(report.refused).toEqual([expect.objectContaining({ part: 'journal', name: DAY, code: 'unreadable' })])
    expect((await bytesOf(storage))[DAY]).toBeDefined()
    const cut = unwrap(await storage.read([DAY]))
    expect(cut.document(DAY)?.bytes).toEqual(bytes)
  })
})

/** Memory in an export: an interrupted import, an archive that cannot be read, facts about entries that are gone. */
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
