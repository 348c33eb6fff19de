/** Writes by a person or by the host's code are in the journal like those of the loop: who, what, before and after. */
import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import type { HermesOptions } from '../../src/hermes-options.ts'
import { createJournal } from '../../src/journal/journal.ts'
import type { JournalRecord } from '../../src/journal/journal-record.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { countingStorage } from '../support/counting-storage.ts'
import { skillText, unwrap } from '../support/skill-library.ts'

const setUp = (options: Partial<HermesOptions> = {}, storage: StorageBackend = inMemoryBackend()) => {
  const events: HermesEvent[] = []
  const clock = manualClock()
  let ids = 0
  const hermes = createHermes({ storage, clock, createId: () => `id${++ids}`, onEvent: (event) => events.push(event), ...options })
  const records = async (): Promise<readonly JournalRecord[]> => unwrap(await hermes.journal.list())
  const newest = async () => (await records()).at(-1)
  return { hermes, events, clock, records, newest }
}

const what = ({ op, upkeep }: JournalRecord): string => op?.action ?? upkeep?.action ?? ''

describe('writes through hermes.memoryStore()', () => {
  it('are recorded with session, actor, what was there before and what is there now', async () => {
    const { hermes, records } = setUp({ actor: 'person' })
    const store = hermes.memoryStore()
    unwrap(await store.apply('memory', { action: 'add', content: 'Builds with pnpm 9' }, { origin: 'user', sessionId: 'chat-1' }))
    unwrap(await store.apply('memory', { action: 'replace', oldText: 'pnpm 9', content: 'Builds with pnpm 12' }, { origin: 'user' }))
    unwrap(await store.apply('memory', { action: 'remove', oldText: 'pnpm 12' }))
    expect(await records()).toMatchObject([
      {
        actor: 'person',
        kind: 'applied',
        target: 'memory',
        sessionId: 'chat-1',
        origin: 'user',
        op: { action: 'add', content: 'Builds with pnpm 9' },
      },
      { op: { action: 'replace', content: 'Builds with pnpm 12' }, previous: ['Builds with pnpm 9'] },
      { op: { action: 'remove' }, previous: ['Builds with pnpm 12'], facts: { previous: { origin: 'user' } } },
    ])
  })

  it.each([
    ['host', 'host', "The host's code wrote it."],
    ['host', 'user', "The host's code wrote it, as the user's words."],
    ['host', 'tool', "The host's code wrote it, as text from outside."],
    ['person', 'user', 'A person wrote it.'],
    ['person', 'host', "A person wrote it, as the host's own text."],
  ] as const)('say whose words they are: by a %s, of %s', async (actor, origin, reason) => {
    const { hermes, newest } = setUp({ actor })
    unwrap(await hermes.memoryStore().apply('memory', { action: 'add', content: 'one' }, { origin }))
    expect(await newest()).toMatchObject({ actor, origin, reason })
  })

  it('fail with their record: to memory, to skills and of the curator', async () => {
    const inner = inMemoryBackend()
    const storage: StorageBackend = {
      ...inner,
      update: (paths, plan, options) =>
        inner.update(paths.some((path) => path.startsWith('journal/')) ? ['../nowhere'] : paths, plan, options),
    }
    const { hermes, events } = setUp({}, storage)
    const store = hermes.memoryStore()
    expect((await store.apply('memory', { action: 'add', content: 'Builds with pnpm 12' })).ok).toBe(false)
    expect(unwrap(await store.current('memory'))).toEqual([])
    const skill = { name: 'deploy', content: skillText('deploy', 'one') }
    expect((await hermes.skillStore().create(skill)).ok).toBe(false)
    expect(unwrap(await hermes.skillStore().list()).skills).toEqual([])
    unwrap(await new SkillStore({ storage }).create(skill))
    expect((await hermes.curator.pin('deploy')).ok).toBe(false)
    expect(unwrap(await hermes.curator.status()).pinned).toEqual([])
    expect(events.flatMap((event) => (event.type === 'storage-failed' ? [event.operation] : []))).toEqual([])
  })
})

describe('writes through hermes.skillStore()', () => {
  it('are recorded with the text as it was and as it is, each once', async () => {
    const { hermes, records } = setUp()
    const skills = hermes.skillStore()
    const [first, second] = [skillText('deploy', 'one'), skillText('deploy', 'two')]
    unwrap(await skills.create({ name: 'deploy', content: first }))
    unwrap(await skills.edit('deploy', second))
    unwrap(await skills.edit('deploy', second))
    unwrap(await skills.patch('deploy', { oldText: 'two', newText: 'three' }))
    unwrap(await skills.writeFile('deploy', 'references/api.md', 'GET /'))
    unwrap(await skills.writeFile('deploy', 'assets/logo.bin', new Uint8Array([0xff, 0xfe])))
    unwrap(await skills.removeFile('deploy', 'references/api.md'))
    const { id } = unwrap(await skills.archive('deploy', { reason: 'tidying up' }))
    unwrap(await skills.restore('deploy'))
    expect(await records()).toMatchObject([
      { target: 'skill', actor: 'host', op: { action: 'create', name: 'deploy', content: first } },
      { op: { action: 'edit', content: second }, previous: [first] },
      { op: { action: 'patch', oldText: 'two', newText: 'three' }, previous: [second] },
      { op: { action: 'write_file', filePath: 'references/api.md', content: 'GET /' } },
      { op: { action: 'write_file', filePath: 'assets/logo.bin', content: '[2 bytes that are not text]' } },
      { op: { action: 'remove_file', filePath: 'references/api.md' }, previous: ['GET /'] },
      { op: { action: 'archive', name: 'deploy' }, reason: 'tidying up' },
      { upkeep: { action: 'restore', subject: 'deploy', before: id, after: 'deploy' } },
    ])
  })
})

describe('the verbs of hermes.curator', () => {
  it('are recorded if they changed something', async () => {
    const { hermes, clock, records } = setUp({ actor: 'person' })
    unwrap(await hermes.skillStore().create({ name: 'deploy', content: skillText('deploy', 'one') }))
    unwrap(await hermes.skillStore().create({ name: 'ship', content: skillText('ship', 'one') }))
    const { curator } = hermes
    unwrap(await curator.pin('deploy'))
    unwrap(await curator.pin('deploy'))
    unwrap(await curator.unpin('deploy'))
    unwrap(await curator.pause())
    unwrap(await curator.resume())
    unwrap(await curator.resume())
    unwrap(await curator.manage({ skills: ['deploy'] }, { allow: ['stale'] }))
    unwrap(await curator.unmanage({ skills: ['deploy'] }))
    const backup = unwrap(await curator.backup('before the holidays'))
    unwrap(await curator.archive('deploy'))
    unwrap(await curator.restore('deploy'))
    unwrap(await curator.archive('deploy'))
    clock.advance(100 * 86_400_000)
    unwrap(await curator.prune(unwrap(await curator.prunable())))
    const { safetyId } = unwrap(await curator.rollback(backup.id))
    const told = (await records()).slice(2)
    expect(told.map(what)).toEqual([
      'pin',
      'unpin',
      'pause',
      'resume',
      'manage',
      'unmanage',
      'backup',
      'archive',
      'restore',
      'archive',
      'prune',
      'rollback',
    ])
    expect(new Set(told.map(({ actor }) => actor))).toEqual(new Set(['person']))
    expect(told).toMatchObject([
      { upkeep: { subject: 'deploy', before: 'not pinned', after: 'pinned' } },
      { upkeep: { subject: 'deploy', before: 'pinned', after: 'not pinned' } },
      { upkeep: { before: 'running', after: 'paused' } },
      { upkeep: { before: 'paused', after: 'running' } },
      { upkeep: { subject: 'deploy', after: 'deploy: stale' } },
      { upkeep: { subject: 'deploy', after: 'nothing is handed over' } },
      { upkeep: { subject: backup.id }, reason: expect.stringContaining('before the holidays') },
      { op: { name: 'deploy' } },
      { upkeep: { subject: 'deploy' } },
      { op: { name: 'deploy' } },
      { upkeep: { subject: 'deploy', after: expect.stringContaining('in the backup') } },
      { upkeep: { subject: backup.id, before: safetyId, after: backup.id } },
    ])
  })
})

/** The number of documents that reading the journal takes: it must not grow with the age of the home. */
const DAY_MS = 86_400_000
const START = Date.UTC(2025, 0, 1, 12)
const DAYS = 120
const PER_DAY = 10

const agedJournal = async () => {
  const counting = countingStorage(inMemoryBackend())
  const time = { now: START }
  let ids = 0
  const journal = createJournal({ storage: counting.storage, clock: () => time.now, createId: () => `id${++ids}` })
  for (let day = 0; day < DAYS; day++) {
    for (let record = 0; record < PER_DAY; record++) {
      time.now = START + day * DAY_MS + record * 1_000
      unwrap(await journal.append([{ actor: 'review', kind: 'applied', reason: `day ${day}, record ${record}` }]))
    }
  }
  return { counting, journal }
}

describe('reading the newest records of an old home', () => {
  it('lists the days, and reads no more of them than the records need, twice as many with each call', async () => {
    const { counting, journal } = await agedJournal()
    counting.reset()
    expect(unwrap(await journal.list({ limit: 20 })).map(({ reason }) => reason)).toEqual(
      Array.from({ length: 20 }, (_, index) => `day ${DAYS - 2 + Math.floor(index / PER_DAY)}, record ${index % PER_DAY}`),
    )
    expect(counting.listed()).toBe(DAYS)
    expect(counting.read()).toBe(3)
  })
})

/** The journal of a home in use loses its oldest days in the background. */
const NOW = Date.UTC(2026, 5, 1, 12)

const homeWithDays = async (...daysAgo: readonly number[]): Promise<StorageBackend> => {
  const storage = inMemoryBackend()
  let ids = 0
  for (const days of daysAgo) {
    const journal = createJournal({ storage, clock: () => NOW - days * DAY_MS, createId: () => `id${++ids}` })
    unwrap(await journal.append([{ actor: 'review', kind: 'applied', reason: `${days} days ago` }]))
  }
  return storage
}

const useOnce = async (storage: StorageBackend, options: Partial<HermesOptions> = {}) => {
  const hermes = createHermes({ storage, clock: manualClock(NOW), ...options })
  await hermes.session('chat').systemBlock()
  await hermes.settled()
  return unwrap(await hermes.journal.list()).map(({ reason }) => reason)
}

describe('the journal of a home', () => {
  it('loses its oldest days when a session opens', async () => {
    const storage = await homeWithDays(400, 3, 0)
    expect(await useOnce(storage)).toEqual(['3 days ago', '0 days ago'])
    expect(unwrap(await storage.list('journal')).map(({ path }) => path)).toEqual(['journal/2026-05-29.jsonl', 'journal/2026-06-01.jsonl'])
  })

  it('reports a day that could not be removed, and the turn continues', async () => {
    const inner = await homeWithDays(400)
    const storage: StorageBackend = {
      ...inner,
      update: (paths, plan, options) => inner.update(paths.some((path) => path === 'journal/') ? ['../nowhere'] : paths, plan, options),
    }
    const events: HermesEvent[] = []
    await useOnce(storage, { onEvent: (event) => events.push(event) })
    expect(events).toContainEqual(expect.objectContaining({ type: 'storage-failed', operation: 'prune journal' }))
  })
})
