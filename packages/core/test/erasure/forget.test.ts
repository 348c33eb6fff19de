import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import { listBackups, openBackup } from '../../src/curator/backups.ts'
import type { MemoryProvider } from '../../src/provider/memory-provider.ts'
import { newSessionRecord } from '../../src/session/session-record.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { DAY, fillHome, openAt, put, START, unwrap } from './fill-home.ts'
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

  it('tells what would go without writing a byte', async () => {
    const { storage } = await filled()
    const before = unwrap(await storage.list(''))
    const told = unwrap(await openAt(storage, LATER).forget(SPOKEN, { dryRun: true }))
    expect(unwrap(await storage.list(''))).toEqual(before)
    const done = unwrap(await openAt(storage, LATER + 1).forget(SPOKEN))
    expect({ ...told, at: 0, dryRun: false }).toEqual({ ...done, at: 0 })
  })

  it('names a skill in use that holds it, and does not touch it', async () => {
    const { root, storage } = await filled({ live: true })
    const receipt = unwrap(await openAt(storage, LATER).forget(SPOKEN))
    expect(receipt.remaining).toEqual([{ path: 'skills/used/SKILL.md', reason: expect.stringContaining('Edit or delete') }])
    expect(filesWith(root, SPOKEN)).toEqual(['skills/used/SKILL.md'])
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
