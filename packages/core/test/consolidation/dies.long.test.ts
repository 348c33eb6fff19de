import { describe, expect, it } from 'vitest'
import { recoverConsolidation } from '../../src/merging/apply/recover.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'
import { textAt, unwrap } from '../support/skill-library.ts'
import { type DiesWhen, dyingBackend } from './dying-backend.ts'
import { CREATE, consolidate, type GivenSkill, openLibrary, reportOf, scripted, skillFiles, skillText, TRIAGE } from './library.ts'

const BROAD: Readonly<Record<string, GivenSkill>> = {
  ...TRIAGE,
  'pr-triage': { description: 'Triage pull requests', body: '# Triage\n\nWithin 2 days.' },
}

const MERGE = {
  consolidations: [
    { from: 'pr-triage-stale', into: 'pr-triage', method: 'merge', reason: 'A section.' },
    { from: 'pr-triage-labels', into: 'pr-triage', method: 'demote', reason: 'Too narrow.' },
  ],
  umbrellas: [
    {
      name: 'pr-triage',
      content: skillText(
        'pr-triage',
        'Triage of pull requests',
        '# Triage\n\nWithin 2 days.\n\n## Stale ones\n\nClose a pull request without any commit for 60 days.\n\n```sh\ngh pr close --comment stale\n```',
      ),
    },
  ],
}

const SCENES = [
  { scene: 'a new umbrella', given: TRIAGE, plan: CREATE },
  { scene: 'an umbrella that is there', given: BROAD, plan: MERGE },
] as const

type Files = Readonly<Record<string, string>>

const under = (files: Files, folder: string): Files =>
  Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, text]) => [path.slice(folder.length + 1), text]),
  )

const SOURCES = ['pr-triage-labels', 'pr-triage-stale']

/** Whether each skill is live or archived: always complete, and never in both places. */
const placesOf = (before: Files, now: Files): Readonly<Record<string, 'live' | 'archived'>> =>
  Object.fromEntries(
    SOURCES.map((name) => {
      const live = under(now, `skills/${name}`)
      // The name of an archiving that was not completed may still be taken.
      const entry = new Set(
        Object.keys(now).flatMap((path) => new RegExp(`^skills/\\.archive/${name}(?:-\\d+)?(?=/)`).exec(path)?.[0] ?? []),
      )
      expect(entry.size).toBeLessThan(2)
      const archived = under(now, [...entry][0] ?? 'nowhere')
      const isLive = Object.keys(live).length > 0
      expect(Object.keys(archived).length > 0).toBe(!isLive)
      expect(isLive ? live : archived).toEqual(under(before, `skills/${name}`))
      return [name, isLive ? 'live' : 'archived'] as const
    }),
  )

const openDeps = (storage: StorageBackend) => {
  const clock = () => Date.parse('2026-06-02T00:00:00Z')
  return { storage, clock, skills: new SkillStore({ storage, clock }), usage: new UsageStore({ storage, clock }) }
}

/** Dies during a merge, and optionally during recovery; then a new process recovers. */
const crash = async (scene: (typeof SCENES)[number], diesAt: number, when: DiesWhen, thenAt?: number) => {
  const inner = inMemoryBackend()
  const library = await openLibrary(scene.given, inner)
  const before = await skillFiles(inner)
  const dying = dyingBackend(inner, diesAt, when)
  await consolidate({ ...library, storage: dying.storage }, scripted(scene.plan).proposer)
  const umbrella = await textAt(inner, 'skills/pr-triage/SKILL.md')
  placesOf(before, await skillFiles(inner))
  let secondDeath = true
  if (thenAt !== undefined) {
    const again = dyingBackend(inner, thenAt, when)
    await recoverConsolidation(openDeps(again.storage))
    placesOf(before, await skillFiles(inner))
    secondDeath = again.isDead()
  }
  const deps = openDeps(inner)
  const recovered = unwrap(await recoverConsolidation(deps))
  return { before, inner, recovered, umbrella, deps, died: dying.isDead(), secondDeath }
}

const checkSettled = async ({ before, inner, deps }: Awaited<ReturnType<typeof crash>>): Promise<string> => {
  const now = await skillFiles(inner)
  const places = placesOf(before, now)
  const kinds = new Set(Object.values(places))
  expect(kinds.size).toBe(1)
  expect(await textAt(inner, 'curator/backups/.merge.json')).toBeUndefined()
  for (const name of SOURCES) expect((await deps.usage.get(name))?.state).toBe(places[name] === 'archived' ? 'archived' : 'active')
  if (kinds.has('live')) {
    expect(now).toEqual(before)
    return 'undone'
  }
  const umbrella = under(now, 'skills/pr-triage')
  expect(umbrella['references/pr-triage-labels/labels.md']).toBe(before['skills/pr-triage-labels/references/labels.md'])
  expect(umbrella['scripts/pr-triage-labels/label.sh']).toBe(before['skills/pr-triage-labels/scripts/label.sh'])
  const all = Object.values(umbrella).join('\n')
  for (const kept of ['gh pr close --comment stale', 'gh pr edit --add-label needs-review', '60 days']) expect(all).toContain(kept)
  expect(await deps.usage.get('pr-triage')).toMatchObject({ createdBy: 'agent', state: 'active' })
  expect(unwrap(await deps.skills.list()).problems).toEqual([])
  const archived = unwrap(await deps.skills.listArchived()).entries
  expect(archived.map(({ name, absorbedInto }) => [name, absorbedInto])).toEqual(
    expect.arrayContaining(SOURCES.map((name) => [name, 'pr-triage'])),
  )
  return 'finished'
}

const writesOf = async ({ given, plan }: (typeof SCENES)[number]): Promise<number> => {
  const inner = inMemoryBackend()
  const library = await openLibrary(given, inner)
  const counting = dyingBackend(inner, Number.POSITIVE_INFINITY, 'before')
  expect(await reportOf({ ...library, storage: counting.storage }, scripted(plan).proposer)).toMatchObject({ refused: [], problems: [] })
  return counting.writes()
}

describe.each(SCENES)('a process that dies while it merges into $scene', (scene) => {
  it.each<DiesWhen>(['before', 'after'])(
    'loses nothing, wherever it dies (%s the write), and the next one undoes or finishes it',
    async (when) => {
      const writes = await writesOf(scene)
      expect(writes).toBeGreaterThan(10)
      const outcomes = new Set<string>()
      for (let diesAt = 1; diesAt <= writes; diesAt++) {
        const crashed = await crash(scene, diesAt, when)
        expect(crashed.died).toBe(true)
        const settled = await checkSettled(crashed)
        outcomes.add(settled)
        if (crashed.recovered) expect(crashed.recovered.outcome).toBe(settled)
      }
      expect([...outcomes].sort()).toEqual(['finished', 'undone'])
    },
  )

  it.each<DiesWhen>(['before', 'after'])('may die again while it recovers (%s the write)', async (when) => {
    const writes = await writesOf(scene)
    for (let diesAt = 1; diesAt <= writes; diesAt++) {
      for (let thenAt = 1; ; thenAt++) {
        const crashed = await crash(scene, diesAt, when, thenAt)
        await checkSettled(crashed)
        if (!crashed.secondDeath) break
      }
    }
  })
})

describe('what others did between a crash and the next start', () => {
  const [create, existing] = SCENES
  const findDeath = async (scene: (typeof SCENES)[number], wanted: (files: Files) => boolean): Promise<number> => {
    const writes = await writesOf(scene)
    for (let diesAt = 1; diesAt <= writes; diesAt++) {
      const inner = inMemoryBackend()
      const library = await openLibrary(scene.given, inner)
      await consolidate({ ...library, storage: dyingBackend(inner, diesAt, 'after').storage }, scripted(scene.plan).proposer)
      if (wanted(await skillFiles(inner))) return diesAt
    }
    throw new Error('No write of this merge leaves the library like that.')
  }

  const dieAt = async (scene: (typeof SCENES)[number], diesAt: number) => {
    const inner = inMemoryBackend()
    const library = await openLibrary(scene.given, inner)
    await consolidate({ ...library, storage: dyingBackend(inner, diesAt, 'after').storage }, scripted(scene.plan).proposer)
    return { inner, deps: openDeps(inner) }
  }

  it('a changed umbrella stays as it is, and so do the skills that are still alive', async () => {
    const diesAt = await findDeath(existing, (files) => files['skills/pr-triage/SKILL.md']?.includes('Kept from merged skills') === true)
    const { inner, deps } = await dieAt(existing, diesAt)
    unwrap(await deps.skills.patch('pr-triage', { oldText: '# Triage', newText: '# My triage' }))
    const now = await skillFiles(inner)
    expect(unwrap(await recoverConsolidation(deps))).toMatchObject({ outcome: 'left', archived: [], kept: expect.arrayContaining(SOURCES) })
    expect(await skillFiles(inner)).toEqual(now)
    expect(unwrap(await recoverConsolidation(deps))).toBeUndefined()
  })

  it('a new umbrella that somebody put a file into stays', async () => {
    const diesAt = await findDeath(create, (files) => files['skills/pr-triage/SKILL.md'] !== undefined)
    const { inner, deps } = await dieAt(create, diesAt)
    unwrap(await deps.skills.writeFile('pr-triage', 'references/mine.md', 'Mine.'))
    expect(unwrap(await recoverConsolidation(deps))).toMatchObject({ outcome: 'left' })
    expect(await textAt(inner, 'skills/pr-triage/SKILL.md')).toBeDefined()
  })

  it('a skill that was pinned meanwhile stays active while the others are archived', async () => {
    const diesAt = await findDeath(create, (files) => files['skills/.archive/pr-triage-labels/SKILL.md'] !== undefined)
    const { deps } = await dieAt(create, diesAt)
    unwrap(await deps.usage.pin('pr-triage-stale'))
    expect(unwrap(await recoverConsolidation(deps))).toEqual({
      into: 'pr-triage',
      outcome: 'finished',
      archived: ['pr-triage-labels'],
      kept: ['pr-triage-stale'],
      problems: [],
    })
    expect(unwrap(await deps.skills.list()).skills.map(({ name }) => name)).toContain('pr-triage-stale')
  })

  it('a skill that was changed meanwhile stays alive', async () => {
    const diesAt = await findDeath(create, (files) => files['skills/.archive/pr-triage-labels/SKILL.md'] !== undefined)
    const { deps } = await dieAt(create, diesAt)
    unwrap(await deps.skills.patch('pr-triage-stale', { oldText: '60 days', newText: '61 days' }))
    expect(unwrap(await recoverConsolidation(deps))).toMatchObject({ kept: ['pr-triage-stale'] })
    expect(unwrap(await deps.skills.view('pr-triage-stale')).content).toContain('61 days')
  })

  it('is settled by the next consolidation before it asks anything, and a preview only tells of it', async () => {
    const diesAt = await findDeath(create, (files) => files['skills/.archive/pr-triage-labels/SKILL.md'] !== undefined)
    const inner = inMemoryBackend()
    const library = await openLibrary(create.given, inner)
    await consolidate({ ...library, storage: dyingBackend(inner, diesAt, 'after').storage }, scripted(create.plan).proposer)
    const { proposer, requests } = scripted('')
    expect(await reportOf(library, proposer, { dryRun: true })).toMatchObject({ recovered: undefined, problems: [{ code: 'locked' }] })
    expect(await reportOf(library, proposer)).toMatchObject({ recovered: { into: 'pr-triage', outcome: 'finished' }, problems: [] })
    expect(requests).toEqual([])
  })
})
