/** A merge that waits for a person: approval, rejection, and changes made in between. */

import { describe, expect, it } from 'vitest'
import { evidenceGate } from '../../src/gate/gates.ts'
import { createHermes } from '../../src/index.ts'
import { createPending } from '../../src/journal/pending.ts'
import { recoverConsolidation } from '../../src/merging/apply/recover.ts'
import { applyApprovedSkill } from '../../src/review/apply/approve-skill.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'
import { textAt, treeOf, unwrap } from '../support/skill-library.ts'
import { dyingBackend } from './dying-backend.ts'
import {
  asYaml,
  CREATE,
  consolidate,
  type GivenSkill,
  type Library,
  living,
  openLibrary,
  reportOf,
  scripted,
  skillFiles,
  skillText,
  TRIAGE,
} from './library.ts'

const WAITING = 'curator/consolidation-waiting.json'
const strict = { gate: evidenceGate({ trust: 'strict' }) }
const NOTHING = { consolidations: [], prunings: [] }

/** Approves as `hermes.pending.approve` does. */
const approveAll = async ({ storage, clock, skills, usage }: Library): Promise<void> => {
  const pending = createPending({ storage, clock })
  for (const held of unwrap(await pending.list())) {
    if (held.target !== 'skill') continue
    unwrap(await applyApprovedSkill(held, { store: skills, storage, usage, clock }))
    unwrap(await pending.remove(held.id))
  }
}

/** An archive entry that was started twice has the time in its name. */
const unstamped = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path.replace(/(?<=\.archive\/[a-z-]+)-\d{14}/, ''), text]))

const BROAD: Readonly<Record<string, GivenSkill>> = {
  ...TRIAGE,
  'pr-triage': {
    description: 'Triage pull requests',
    body: '# Triage\n\nLook at each pull request within 2 days. Ask `gh pr list` first.',
  },
}

const SHORTER = skillText(
  'pr-triage',
  'Triage stale pull requests',
  '# Triage\n\nTriage pull requests: look at each pull request within 2 days.\n\n## Stale ones\n\nClose stale pull requests: close a pull request without any commit for 60 days.\n\n```sh\ngh pr close --comment stale\n```',
)

const INTO_EXISTING = {
  consolidations: [
    { from: 'pr-triage-stale', into: 'pr-triage', method: 'merge', reason: 'A section of it.' },
    { from: 'pr-triage-labels', into: 'pr-triage', method: 'demote', reason: 'Too narrow.' },
  ],
  umbrellas: [
    { name: 'pr-triage', content: SHORTER, files: [{ path: 'references/pr-triage-labels/more.md', content: 'Label new pull requests.' }] },
  ],
}

const SCENES = [
  { scene: 'a new umbrella', given: TRIAGE, plan: CREATE },
  { scene: 'one that is there, with a file of the model’s', given: BROAD, plan: INTO_EXISTING },
]

describe.each(SCENES)('a merge into $scene that a person has approved', ({ given, plan }) => {
  it('is finished by the next run, just as if the gate had said yes at once, and asks nobody again', async () => {
    const atOnce = await openLibrary(given)
    const wanted = await reportOf(atOnce, scripted(plan).proposer)
    expect(wanted.consolidated).toHaveLength(2)

    const library = await openLibrary(given)
    const before = await skillFiles(library.storage)
    expect(await reportOf(library, scripted(plan).proposer, strict)).toMatchObject({ consolidated: [], held: [{ into: 'pr-triage' }] })
    expect(await skillFiles(library.storage)).toEqual(before)
    await approveAll(library)
    const { proposer, requests } = scripted(NOTHING)
    const preview = await reportOf(library, proposer, { ...strict, dryRun: true })
    expect(preview.consolidated.map(({ name, archivedAs }) => [name, archivedAs])).toEqual(
      wanted.consolidated.map(({ name }) => [name, undefined]),
    )
    const asked = requests.length
    const { outcome, journal, pending } = await consolidate(library, proposer, strict)
    const report = unwrap(outcome)
    expect(report).toMatchObject({ consolidated: wanted.consolidated, held: [], refused: [], problems: [] })
    expect(await skillFiles(library.storage)).toEqual(await skillFiles(atOnce.storage))
    expect(await library.usage.get('pr-triage-stale')).toMatchObject({ state: 'archived' })
    expect(unwrap(await pending.list())).toEqual([])
    const archived = unwrap(await journal.list()).filter(({ op }) => op?.action === 'archive')
    expect(archived).toMatchObject([
      { kind: 'applied', op: { action: 'archive', absorbedInto: 'pr-triage' } },
      { kind: 'applied', op: { action: 'archive', absorbedInto: 'pr-triage' } },
    ])
    expect(await textAt(library.storage, WAITING)).toBeUndefined()
    expect(requests.length).toBe(asked)
  })

  it('survives the end of the process at any of its writes', async () => {
    const open = async () => {
      const storage = inMemoryBackend()
      const library = await openLibrary(given, storage)
      await reportOf(library, scripted(plan).proposer, strict)
      await approveAll(library)
      return { storage, library }
    }
    const whole = await open()
    const counting = dyingBackend(whole.storage, Number.POSITIVE_INFINITY, 'before')
    expect((await reportOf({ ...whole.library, storage: counting.storage }, scripted(NOTHING).proposer, strict)).consolidated).toHaveLength(
      2,
    )
    const wanted = await skillFiles(whole.storage)
    for (let diesAt = 1; diesAt <= counting.writes(); diesAt++) {
      const { storage, library } = await open()
      await consolidate({ ...library, storage: dyingBackend(storage, diesAt, 'after').storage }, scripted(NOTHING).proposer, strict)
      const { clock } = library
      const deps = { storage, clock, skills: new SkillStore({ storage, clock }), usage: new UsageStore({ storage, clock }) }
      unwrap(await recoverConsolidation(deps))
      unwrap((await consolidate(library, scripted(NOTHING).proposer, strict)).outcome)
      expect(unstamped(await skillFiles(storage))).toEqual(wanted)
      expect(await library.usage.get('pr-triage-labels')).toMatchObject({ state: 'archived' })
    }
  })
})

describe('a home at trust strict', () => {
  it('merges with one yes of its person: hold, approve, and the next run', async () => {
    const { storage, clock, ...library } = await openLibrary()
    let calls = 0
    const model = async () => asYaml(++calls === 1 ? CREATE : NOTHING)
    let ids = 0
    const hermes = createHermes({ storage, clock, createId: () => `id-${++ids}`, trust: 'strict', curator: { model } })
    const first = unwrap(await hermes.curator.run({ consolidate: true }))
    const [id = ''] = first.consolidation?.held.flatMap(({ pendingIds }) => pendingIds) ?? []
    expect(await textAt(storage, `${first.reportPath}/REPORT.md`)).toContain('the next run that merges archives its skills')
    unwrap(await hermes.pending.approve(id))
    const second = unwrap(await hermes.curator.run({ consolidate: true }))
    expect(second).toMatchObject({
      backupId: expect.any(String),
      problems: [],
      consolidation: { consolidated: [{ into: 'pr-triage' }, {}] },
    })
    expect(await living({ storage, clock, ...library })).toEqual(['pr-triage', 'write-haiku'])
    expect(calls).toBe(1)
  })
})

describe('a merge that waits', () => {
  const held = async (given = TRIAGE, plan: object = CREATE) => {
    const library = await openLibrary(given)
    await reportOf(library, scripted(plan).proposer, strict)
    return library
  }

  it('moves nothing and calls no model, run after run', async () => {
    const library = await held()
    const before = await treeOf(library.storage)
    const { proposer, requests } = scripted(CREATE)
    for (let run = 0; run < 3; run++) expect(await reportOf(library, proposer, strict)).toMatchObject({ consolidated: [], refused: [] })
    expect(requests).toEqual([])
    expect(await treeOf(library.storage)).toEqual(before)
  })

  it('archives nothing if one of its skills has changed since, says so once, and asks about the group again', async () => {
    const library = await held()
    unwrap(await library.skills.patch('pr-triage-stale', { oldText: '60 days', newText: '90 days' }))
    await approveAll(library)
    const { proposer, requests } = scripted(NOTHING)
    const report = await reportOf(library, proposer, strict)
    expect(report).toMatchObject({ consolidated: [], refused: [{ into: 'pr-triage', why: expect.stringContaining('was proposed') }] })
    expect(await living(library)).toContain('pr-triage-stale')
    expect(requests).toHaveLength(1)
    expect((await reportOf(library, proposer, strict)).refused).toEqual([])
  })

  it('never archives a skill that was pinned in the meantime', async () => {
    const library = await held()
    await approveAll(library)
    unwrap(await library.usage.pin('pr-triage-stale'))
    expect((await reportOf(library, scripted(NOTHING).proposer, strict)).consolidated).toEqual([])
    expect(await living(library)).toEqual(['pr-triage', 'pr-triage-labels', 'pr-triage-stale', 'write-haiku'])
  })

  it('is not done if the umbrella says something else than what was proposed', async () => {
    const library = await held()
    await approveAll(library)
    unwrap(await library.skills.patch('pr-triage', { oldText: '## Labels', newText: '## My labels' }))
    expect((await reportOf(library, scripted(NOTHING).proposer, strict)).consolidated).toEqual([])
    expect(await living(library)).toContain('pr-triage-labels')
  })

  it('is not done if only a part of it was approved', async () => {
    const library = await held(BROAD, INTO_EXISTING)
    const pending = createPending(library)
    for (const one of unwrap(await pending.list())) {
      if (one.target === 'skill' && one.ops[0]?.action === 'write_file') unwrap(await pending.remove(one.id))
    }
    await approveAll(library)
    expect((await reportOf(library, scripted(NOTHING).proposer, strict)).consolidated).toEqual([])
    expect(await living(library)).toHaveLength(4)
  })

  it('whose record cannot be read is a problem of the run, not its end', async () => {
    const library = await held()
    unwrap(await updateDocument(library.storage, WAITING, () => new TextEncoder().encode('{')))
    expect(await reportOf(library, scripted(NOTHING).proposer, strict)).toMatchObject({ problems: [{ code: 'unreadable' }] })
  })
})

describe('an umbrella that is pinned while the model thinks', () => {
  it('is not rewritten', async () => {
    const library = await openLibrary(BROAD)
    const before = await skillFiles(library.storage)
    const { proposer } = scripted(INTO_EXISTING)
    const report = await reportOf(library, async (request) => {
      unwrap(await library.usage.pin('pr-triage'))
      return proposer(request)
    })
    expect(report).toMatchObject({ consolidated: [], refused: [{ why: expect.stringContaining('pinned') }] })
    expect(await skillFiles(library.storage)).toEqual(before)
  })
})
