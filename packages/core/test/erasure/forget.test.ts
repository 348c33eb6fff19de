import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import { listBackups, openBackup, readManifest } from '../../src/curator/backups.ts'
import type { MemoryProvider } from '../../src/provider/memory-provider.ts'
import { newSessionRecord } from '../../src/session/session-record.ts'
import { ok } from '../../src/shared/result.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { user } from '../session/open-home.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { longestHold } from '../support/longest-hold.ts'
import { createSkillBackup } from '../support/open-curator.ts'
import { textAt } from '../support/skill-library.ts'
import { DAY, fillHome, openAt, put, START, skillText, unwrap } from './fill-home.ts'
import { filesWith } from './search-bytes.ts'

const MARKER = 'Zébra-4411 "x"'
const SPOKEN = 'Zébra-4411'
const LATER = START + 3 * DAY

const filled = async (options?: { readonly live?: boolean }) => {
  const root = temporaryFolder()
  const storage = fileSystemBackend(root)
  await fillHome(storage, MARKER, options)
  return { root, storage }
}

/** Of each of 20 days; every hundredth of them, and every thirtieth session, holds the text. */
const RECORDS = rounds(500)
const SESSIONS = rounds(300)

describe('forget', () => {
  it('erases a text from every file of a home that a loop has filled', async () => {
    const { root, storage } = await filled()
    const before = filesWith(root, SPOKEN)
    // Every kind of document contains the marker.
    for (const place of [
      /MEMORY\.md$/,
      /USER\.md$/,
      /\.bak\./,
      /memories\/\.archive\.jsonl/,
      /memories\/\.facts\.jsonl/,
      /journal\/2026-03-01/,
      /journal\/2026-03-03/,
      /pending\/memory\//,
      /pending\/skills\//,
      /sessions\/chat-1/,
      /sessions\/\.unreadable\//,
      /skills\/\.archive\/pay/,
      /\.manifests/,
      /tar\.gz$/,
      /logs\/curator/,
      /consolidation-waiting/,
    ])
      expect(
        before.filter((name) => place.test(name)),
        String(place),
      ).not.toEqual([])
    const provider = { name: 'notes', initialize: () => ({ forget: async () => 3 }) }
    const receipt = unwrap(await openAt(storage, LATER, { memory: { provider } }).forget('  zébra-4411 '.normalize('NFD')))
    expect(filesWith(root, SPOKEN)).toEqual([])
    expect(receipt.remaining).toEqual([])
    expect(receipt.rewrittenBackups).toHaveLength(2)
    for (const [kind, count] of Object.entries(receipt.erased)) expect([kind, count > 0]).toEqual([kind, true])
    // Data without the marker is still there.
    const memory = openAt(storage, LATER).memoryStore()
    await memory.load()
    expect(memory.entries('memory')).toEqual(['Builds with pnpm 12.', 'New: nothing.'])
    const { backups, problems } = unwrap(await listBackups(storage))
    expect([backups.length, problems]).toEqual([2, []])
    for (const backup of backups) unwrap(await openBackup(storage, backup))
    const records = unwrap(await openAt(storage, LATER).journal.list())
    expect(records.at(-1)).toMatchObject({ actor: 'person', upkeep: { action: 'erase' } })
    expect(JSON.stringify(records)).toContain('pnpm 12')
  })

  it('finds nothing the second time, and then writes nothing', async () => {
    const { storage } = await filled()
    const hermes = openAt(storage, LATER)
    unwrap(await hermes.forget(SPOKEN))
    const before = unwrap(await storage.list(''))
    const again = unwrap(await hermes.forget(SPOKEN))
    expect(Object.values(again.erased).every((count) => count === 0)).toBe(true)
    expect(unwrap(await storage.list(''))).toEqual(before)
  })

  it('is recorded in a home with a provider also if it finds nothing, for a process with a text that it could not store', async () => {
    const provider: MemoryProvider = { name: 'words', initialize: async () => ({ forget: async () => 0 }) }
    const hermes = openAt(inMemoryBackend(), LATER, { memory: { provider } })
    unwrap(await hermes.forget(SPOKEN, { dryRun: true }))
    expect(unwrap(await hermes.journal.list())).toEqual([])
    unwrap(await hermes.forget(SPOKEN))
    const reasons = [
      'An erasure from this home began, at the request of a person.',
      'Nothing was found to erase from this home, at the request of a person.',
    ]
    expect(unwrap(await hermes.journal.list())).toMatchObject(reasons.map((reason) => ({ reason, upkeep: { action: 'erase' } })))
  })

  it('is announced before the provider erases, so that another process drops what it holds in memory instead of delivering it afterwards', async () => {
    const storage = inMemoryBackend()
    const announced: unknown[] = []
    const forget = async () => announced.push(...unwrap(await openAt(storage, LATER).journal.list()).map(({ reason }) => reason))
    const provider: MemoryProvider = { name: 'words', initialize: async () => ({ forget }) }
    unwrap(await openAt(storage, LATER, { memory: { provider } }).forget(SPOKEN))
    expect(announced).toEqual(['An erasure from this home began, at the request of a person.'])
  })

  it('erases what is added to a journal behind the erasure of it', async () => {
    const inner = inMemoryBackend()
    const remember = async (content: string) => unwrap(await openAt(inner, LATER).memoryStore().apply('memory', { action: 'add', content }))
    for (const content of [`Lives at ${SPOKEN}.`, 'Likes tea.']) await remember(content)
    const [{ path = '' } = {}] = unwrap(await inner.list('journal'))
    let isFirst = true
    const storage: StorageBackend = {
      ...inner,
      update: async (paths, plan, options) => {
        const done = await inner.update(paths, plan, options)
        if (isFirst && paths.includes(path)) {
          isFirst = false
          await remember(`Back in ${SPOKEN}.`)
        }
        return done
      },
    }
    expect(unwrap(await openAt(storage, LATER + 1).forget(SPOKEN))).toMatchObject({ erased: { journalRecords: 2 }, remaining: [] })
    const journal = new TextDecoder().decode(unwrap(await readDocument(inner, path))?.bytes)
    expect([journal.includes('Likes tea.'), journal.includes(SPOKEN)]).toEqual([true, false])
  })

  it('names a journal that has become a link out of the home since a record of it was erased', async () => {
    const inner = inMemoryBackend()
    for (const content of [`Lives at ${SPOKEN}.`, 'Likes tea.'])
      unwrap(await openAt(inner, LATER).memoryStore().apply('memory', { action: 'add', content }))
    const [day] = unwrap(await inner.list('journal'))
    const storage: StorageBackend = {
      ...inner,
      list: async (prefix) => {
        const listed = unwrap(await inner.list(prefix))
        return ok(
          listed.map((info) => (info.path === day?.path && info.stamp !== day.stamp ? { ...info, unreadable: 'outward-link' } : info)),
        )
      },
    }
    const { erased, remaining } = unwrap(await openAt(storage, LATER + 1).forget(SPOKEN))
    expect([erased.journalRecords, remaining]).toMatchObject([1, [{ path: day?.path }]])
  })

  it('tells what would go without writing a byte', async () => {
    const { storage } = await filled()
    const before = unwrap(await storage.list(''))
    const told = unwrap(await openAt(storage, LATER).forget(SPOKEN, { dryRun: true }))
    expect(unwrap(await storage.list(''))).toEqual(before)
    const done = unwrap(await openAt(storage, LATER + 1).forget(SPOKEN))
    expect({ ...told, at: 0, dryRun: false }).toEqual({ ...done, at: 0 })
  })

  it('erases what killed writers left beside the documents, also of one owner among others', async () => {
    const root = temporaryFolder()
    const left = '.hermes-tmp-7-0'
    const homes = createHermesHomes({ storage: fileSystemBackend(root) })
    const [ada, ben] = [homes.for({ user: 'ada' }), homes.for({ user: 'ben' })]
    for (const hermes of [ada, ben])
      unwrap(await hermes.memoryStore().apply('memory', { action: 'add', content: `Lives at ${SPOKEN}.` }, { origin: 'user' }))
    for (const file of filesWith(root, SPOKEN)) writeFileSync(join(dirname(join(root, file)), left), SPOKEN)
    expect(unwrap(await ada.forget(SPOKEN, { dryRun: true })).remaining).toEqual([])
    expect(filesWith(root, SPOKEN).filter((name) => name.includes(left)).length).toBeGreaterThan(1)
    expect(unwrap(await ada.forget(SPOKEN)).remaining).toEqual([])
    const ofBen = filesWith(root, SPOKEN)
    expect(ofBen.length).toBeGreaterThan(1)
    expect(new Set(ofBen.map((name) => name.split('/').slice(0, 3).join('/'))).size).toBe(1)
    expect(unwrap(await ben.forget(SPOKEN)).remaining).toEqual([])
    expect(filesWith(root, SPOKEN)).toEqual([])
    await homes.close()
  })

  it(`takes a moment for ${20 * RECORDS} journal records and ${SESSIONS} sessions`, async () => {
    const root = temporaryFolder()
    const storage = fileSystemBackend(root)
    const recordOf = (day: number, at: number) =>
      `${JSON.stringify({ id: `${day}-${at}`, at, actor: 'review', kind: 'applied', reason: 'The user said so in their own words.', target: 'memory', op: { action: 'add', content: at % 100 === 0 ? MARKER : 'The build uses pnpm.' } })}\n`
    for (let day = 10; day < 30; day++)
      await put(storage, `journal/2026-01-${day}.jsonl`, Array.from({ length: RECORDS }, (_, at) => recordOf(day, at)).join(''))
    for (let index = 0; index < SESSIONS; index++)
      await put(
        storage,
        `sessions/chat-${index}.json`,
        JSON.stringify(newSessionRecord(`chat-${index}`, `${'Block. '.repeat(500)}\n§\n${index % 30 === 0 ? MARKER : 'tea'}`, 1)),
      )
    const hermes = openAt(storage, LATER)
    const before = cpuMs()
    const { erased } = unwrap(await hermes.forget(SPOKEN))
    // About half a second on a machine with nothing else to do.
    expect(cpuMs() - before).toBeLessThan(8_000)
    expect(erased).toMatchObject({ journalRecords: RECORDS / 5, sessions: SESSIONS / 30 })
    expect(filesWith(root, SPOKEN)).toEqual([])
  })
})

/** Texts in files of other programs and of skills: escaped, as keys, and next to words that have a meaning in the library's own formats. */
const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

const textsInBackup = async (storage: StorageBackend, id: string): Promise<Readonly<Record<string, string>>> => {
  const opened = unwrap(await openBackup(storage, unwrap(await readManifest(storage, id))))
  return Object.fromEntries([...opened.contents].map(([path, { bytes }]) => [path, decode(bytes)]))
}

/** A live and an archived skill, both with the files, and a backup of both. */
const withSkills = async (files: Readonly<Record<string, string>>) => {
  const storage = inMemoryBackend()
  const hermes = openAt(storage)
  for (const name of ['used', 'away']) {
    unwrap(await hermes.skillStore().create({ name, content: skillText(name, 'Nothing of it.') }))
    for (const [file, text] of Object.entries(files)) await put(storage, `skills/${name}/references/${file}`, text)
  }
  const { id } = unwrap(await createSkillBackup({ storage, clock: () => START, reason: 'manual' }))
  unwrap(await hermes.skillStore().archive('away', { reason: 'old' }))
  return { storage, hermes, id }
}

describe('forget', () => {
  it('cuts JSON of a skill as text, in the archive and in a backup: no key of it and no word is of the format', async () => {
    const files = {
      'kind.json': '{"kind": "Calle Mayor 5", "n": 12345678901234567890}',
      'key.json': '{"Calle Mayor 5": true}',
      'name.json': '{"name": "Calle Mayor 5", "why": "Calle Mayor 5"}',
    }
    const { storage, hermes, id } = await withSkills(files)
    const receipt = unwrap(await hermes.forget('Calle Mayor 5'))
    expect(receipt.remaining.map(({ path }) => path)).toEqual(
      Object.keys(files)
        .sort()
        .map((file) => `skills/used/references/${file}`),
    )
    const backup = await textsInBackup(storage, id)
    for (const [file, text] of Object.entries(files)) {
      const expected = text.replaceAll('Calle Mayor 5', '(erased)')
      expect(decode(unwrap(await readDocument(storage, `skills/.archive/away/references/${file}`))?.bytes)).toBe(expected)
      for (const name of ['used', 'away']) expect(backup[`skills/${name}/references/${file}`]).toBe(expected)
    }
  })

  it('does not look into packages that are installed in the home, but into folders that only end like theirs', async () => {
    const { storage, hermes } = await withSkills({})
    for (const path of ['node_modules/a/LICENSE', 'node_modules/.package-lock.json', 'notes/node_modules/a.txt', 'node_modules.txt'])
      await put(storage, path, 'Calle Mayor 5')
    const read: string[] = []
    const watched = openAt({
      ...storage,
      read: (paths) => {
        read.push(...paths)
        return storage.read(paths)
      },
    })
    const receipt = unwrap(await watched.forget('Calle Mayor 5'))
    expect(receipt.remaining.map(({ path }) => path)).toEqual(['node_modules.txt', 'notes/node_modules/a.txt'])
    expect(read.filter((path) => path.startsWith('node_modules/'))).toEqual([])
    await hermes.close()
  })

  it('erases what Python Hermes keeps of memory and of skill files, and leaves its other lines and files', async () => {
    const storage = inMemoryBackend()
    const line = (text: string) => `${JSON.stringify({ target: 'user', entry: text, evidence: text })}\n`
    const other = line('Drinks tea')
    for (const path of ['memories/ARCHIVE.jsonl', 'skills/.curator_ledger.jsonl'])
      await put(storage, path, `${line('Lives at Calle Mayor 5')}${other}`)
    await put(storage, '.curator_backups/blobs/ab/abc1', '{"kind": "Calle Mayor 5"}')
    await put(storage, '.curator_backups/blobs/ab/abc2', 'Drinks tea')
    await put(storage, 'skills/.curator_backups/2026-05-01T00-00-00Z/manifest.json', 'Calle Mayor 5')
    const { erased, remaining } = unwrap(await openAt(storage).forget('calle mayor 5'))
    expect(erased).toMatchObject({ archivedEntries: 1, otherDocuments: 2 })
    expect(remaining).toEqual([
      { path: 'skills/.curator_backups/2026-05-01T00-00-00Z/manifest.json', reason: expect.stringContaining('Python Hermes') },
    ])
    for (const path of ['memories/ARCHIVE.jsonl', 'skills/.curator_ledger.jsonl'])
      expect(decode(unwrap(await readDocument(storage, path))?.bytes)).toBe(other)
    expect(unwrap(await storage.list('.curator_backups')).map(({ path }) => path)).toEqual(['.curator_backups/blobs/ab/abc2'])
  })

  it('holds the process at no time while it looks through a large backup', async () => {
    const files = Object.fromEntries(Array.from({ length: rounds(120) }, (_, at) => [`${at}.md`, `${at} Ünd `.repeat(12_000)]))
    const { hermes } = await withSkills(files)
    expect(await longestHold(async () => unwrap(await hermes.forget('Calle Mayor 5')))).toBeLessThan(100)
  })
})

/** Erasing a text from the days of the journal. */
const TEXT = 'Calle Mayor 5'
const line = (id: string, reason: string): string => JSON.stringify({ id, at: START, actor: 'host', kind: 'applied', reason })

const forgetIn = async (...days: readonly string[]) => {
  const storage = inMemoryBackend()
  for (const [index, text] of days.entries()) await put(storage, `journal/2026-02-0${index + 1}.jsonl`, text)
  const receipt = unwrap(await openAt(storage).forget(TEXT))
  const paths = unwrap(await storage.list('journal')).map(({ path }) => path)
  return { receipt, paths, firstDay: paths.includes('journal/2026-02-01.jsonl') && (await textAt(storage, 'journal/2026-02-01.jsonl')) }
}

describe('forget, in the journal', () => {
  it('removes whole records and leaves the others byte by byte', async () => {
    const kept = `${line('b', 'Something else.')}\n`
    const { receipt, firstDay } = await forgetIn(`${line('a', `Lives at ${TEXT}.`)}\n${kept}`)
    expect([firstDay, receipt.erased.journalRecords, receipt.remaining]).toEqual([kept, 1, []])
  })

  it('removes a torn line with the text, and keeps the record that was appended behind it', async () => {
    const torn = line('a', `Lives at ${TEXT}.`).slice(0, -2)
    const { firstDay } = await forgetIn(`${torn}${line('b', 'Something else.')}\n`)
    expect(firstDay).toBe(`${line('b', 'Something else.')}\n`)
  })
})

/** Names that contain the text: names of the library are ignored, names of skills and sessions are reported. */
describe('forget', () => {
  it('does not take the folders and words of the library for the text', async () => {
    const storage = inMemoryBackend()
    await fillHome(storage, 'zebra-4411')
    for (const word of [
      'journal',
      'memories',
      'sessions',
      'pending',
      'curator',
      'SKILL.md',
      'version',
      'sha256',
      'createdAt',
      'applied',
      'erased',
    ]) {
      const { remaining } = unwrap(await openAt(storage, START).forget(word, { dryRun: true }))
      expect([word, remaining.filter(({ path }) => !path.startsWith('skills/plain'))]).toEqual([word, []])
    }
  })

  it('keeps the name of a skill, so that it can come back, and tells where it is', async () => {
    const storage = inMemoryBackend()
    const hermes = openAt(storage)
    unwrap(await hermes.skillStore().create({ name: 'zebra', content: skillText('zebra', 'Feed the zebra.') }))
    unwrap(await createSkillBackup({ storage, clock: () => START, reason: 'manual' }))
    unwrap(await hermes.skillStore().archive('zebra', { reason: 'unused' }))
    const receipt = unwrap(await hermes.forget('zebra'))
    expect(receipt.erased.archivedSkillFiles).toBeGreaterThan(0)
    expect(receipt.rewrittenBackups).toHaveLength(1)
    expect(receipt.remaining.map(({ path }) => path)).toEqual([
      expect.stringContaining('curator/backups/'),
      'skills/.archive/.manifests/zebra.json',
      'skills/.archive/zebra/SKILL.md',
    ])
    const [backup] = unwrap(await listBackups(storage)).backups
    const { contents } = unwrap(await openBackup(storage, backup!))
    expect(new TextDecoder().decode(contents.get('skills/zebra/SKILL.md')?.bytes)).toBe(
      '---\nname: zebra\ndescription: How to (erased).\n---\n\nFeed the (erased).\n',
    )
    expect(unwrap(await hermes.skillStore().restore('zebra')).skill.name).toBe('zebra')
  })

  it('tells of a session whose id holds the text', async () => {
    const storage = inMemoryBackend()
    const hermes = openAt(storage)
    hermes.session('zebra-1').recordTurn({ messages: [user('Mine is a zebra.')] })
    hermes.session('zebra-1').recordTurn({ messages: [user('And tea.')] })
    await hermes.settled()
    const { remaining, erased } = unwrap(await hermes.forget('zebra'))
    expect([erased.sessions, remaining]).toEqual([
      1,
      [{ path: 'sessions/zebra-1.json', reason: expect.stringContaining('Forget that session') }],
    ])
    expect(unwrap(await hermes.forget({ session: 'zebra-1' }))).toMatchObject({ erased: { sessions: 1 }, remaining: [] })
    expect(unwrap(await hermes.forget('zebra')).remaining).toEqual([])
  })
})

describe('forget interrupted', () => {
  const MARKER = 'zebra-4411'

  describe('forget, interrupted', () => {
    it('writes more than 2 MiB in several updates, memory and journal in the last ones', async () => {
      const storage = inMemoryBackend()
      await put(storage, 'memories/MEMORY.md', MARKER)
      await put(storage, 'journal/2026-01-10.jsonl', `{"id":"a","at":1,"reason":"${MARKER}"}\n`)
      for (let index = 0; index < 3; index++) await put(storage, `logs/curator/${index}/REPORT.md`, `${MARKER}${' '.repeat(1_500_000)}`)
      const written: string[][] = []
      const watched: StorageBackend = {
        ...storage,
        update: (paths, plan, options) =>
          storage.update(
            paths,
            (cut) => {
              const planned = plan(cut)
              if (planned.put) written.push(Object.keys(planned.put))
              return planned
            },
            options,
          ),
      }
      expect(unwrap(await openAt(watched).forget(MARKER))).toMatchObject({ erased: { memoryEntries: 1, otherDocuments: 3 }, remaining: [] })
      const places = written.flat().filter((path) => !path.startsWith('sessions/') && path !== 'memories/.block.json')
      expect(written.length).toBeGreaterThan(2)
      expect(places.slice(-2)).toEqual(['journal/2026-01-10.jsonl', 'memories/MEMORY.md'])
    })
  })
})
