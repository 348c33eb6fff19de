/** A review of skills in a home that shares skills with others, and what it counts. */

import { describe, expect, it } from 'vitest'
import { disposeProposal } from '../../../test/support/dispose.ts'
import type { ReviewGate } from '../../gate/review-gate.ts'
import { createJournal } from '../../journal/journal.ts'
import { createPending } from '../../journal/pending.ts'
import { MemoryStore } from '../../memory/memory-store.ts'
import { grantManagement } from '../../ownership/grants.ts'
import type { SkillProposal } from '../../proposal/review-proposal.ts'
import { stampTranscript } from '../../proposal/stamp-transcript.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok } from '../../shared/result.ts'
import type { SkillOp } from '../../skills/skill-op.ts'
import { SkillStore } from '../../skills/skill-store.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import { readDocument, updateDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { UsageStore } from '../../usage/usage-store.ts'
import type { DisposalOptions, WritableSkills } from './disposal-options.ts'

const text = (name: string, body: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\n\n${body}\n`
const yes: ReviewGate = async () => ok({ approved: true, reason: 'yes', origin: 'user' })
const clock = () => 5_000
const API = 'The API is v1, v1 and v1.\n'

/** The store with other methods in the place of its own. */
const withMethods = (store: SkillStore, methods: Readonly<Record<string, unknown>>): SkillStore =>
  new Proxy(store, {
    get: (target, key) => {
      const own = Reflect.get(methods, key) ?? Reflect.get(target, key, target)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })

const setUp = async ({ storage = inMemoryBackend(), ...skillDeps }: Partial<WritableSkills> = {}, more: Partial<DisposalOptions> = {}) => {
  const store = new SkillStore({ storage, clock })
  const usage = new UsageStore({ storage, clock })
  const shared = inMemoryBackend()
  await new SkillStore({ storage: shared, clock }).create({ name: 'lint', content: text('lint', '1. Lint.') })
  await store.create({ name: 'deploy', content: text('deploy', '1. Build.') })
  await store.writeFile('deploy', 'references/api.md', API)
  await usage.record('deploy', 'create', { createdBy: 'agent' })
  let count = 0
  const journal = createJournal({ storage, clock, createId: () => `id${count++}` })
  const pending = createPending({ storage, clock })
  const skills = { store, reader: store.withShared([shared]), usage, storage, clock, ...skillDeps }
  const deps: DisposalOptions = { gate: yes, store: new MemoryStore({ storage, clock }), skills, journal, pending, ...more }
  const dispose = async (op: SkillOp, given: Partial<SkillProposal> = {}, change: Partial<DisposalOptions> = {}) => {
    const disposed = await disposeProposal({ target: 'skill', op, rationale: 'why', score: 1, ...given }, { ...deps, ...change })
    if (!disposed.ok) throw disposed.error
    return disposed.value
  }
  const contentOf = async (name: string) => {
    const viewed = await store.view(name)
    return viewed.ok ? viewed.value.content : undefined
  }
  return { dispose, store, usage, shared, skills, pending, contentOf }
}

const patch = (name: string, oldText: string, newText: string): SkillOp => ({ action: 'patch', name, oldText, newText })
const create = (name: string): SkillOp => ({ action: 'create', name, content: text(name, '1. Mine.') })

describe('a skill that is shared', () => {
  it('is changed by nobody here: a review is told so as by a no, the agent as by a failure', async () => {
    const { dispose, shared } = await setUp()
    const before = await readDocument(shared, 'skills/lint/SKILL.md')
    const reason = expect.stringContaining("'lint' is shared and read-only")
    const op = patch('lint', 'Lint', 'Format')
    expect(await dispose(op)).toMatchObject({ kind: 'rejected', reason })
    for (const actor of ['agent', 'host'] as const)
      expect(await dispose(op, {}, { actor })).toMatchObject({ kind: 'failed', error: { code: 'read_only', details: { name: 'lint' } } })
    expect(await readDocument(shared, 'skills/lint/SKILL.md')).toEqual(before)
  })

  it('absorbs no skill of the home', async () => {
    const { dispose, contentOf } = await setUp()
    const archive = (absorbedInto: string) => dispose({ action: 'archive', name: 'deploy', absorbedInto }, {}, { actor: 'agent' })
    expect(await archive('lint')).toMatchObject({ kind: 'failed', error: { code: 'read_only', details: { name: 'lint' } } })
    expect(await archive('absent')).toMatchObject({ kind: 'failed', error: { code: 'not_found' } })
    expect(await archive('deploy')).toMatchObject({ kind: 'failed', error: { code: 'invalid' } })
    expect(await contentOf('deploy')).toContain('1. Build.')
  })

  it.each(['lint', 'Lint'])('is hidden by a new skill %s only where a person or the agent in front of the user says so', async (name) => {
    const { dispose, pending, contentOf } = await setUp()
    const held = await dispose(create(name.toLowerCase()))
    expect(held).toMatchObject({ kind: 'held', reason: expect.stringContaining("shared skill 'lint'") })
    expect(await pending.list()).toMatchObject({ ok: true, value: [{ target: 'skill', base: null }] })
    expect(await contentOf('lint')).toBeUndefined()
    expect(await dispose(create('lint'), {}, { actor: 'agent' })).toMatchObject({ kind: 'applied' })
    expect(await contentOf('lint')).toContain('1. Mine.')
  })

  it('is hidden also by its folder, where that has another name', async () => {
    const { dispose, shared } = await setUp()
    await updateDocument(shared, 'skills/style/SKILL.md', () => new TextEncoder().encode(text('format', '1. Format.')))
    for (const name of ['style', 'format']) expect(await dispose(create(name))).toMatchObject({ kind: 'held' })
  })

  it('hinders no skill of another name, and none of the home if it cannot be read', async () => {
    const { dispose, skills } = await setUp()
    expect(await dispose(create('release'))).toMatchObject({ kind: 'applied' })
    expect(await dispose(patch('deploy', 'Build', 'Compile'))).toMatchObject({ kind: 'applied' })
    const reader = { ...skills.store, list: async () => err(new HermesError('io', 'down')) } as never
    expect(await dispose(create('lint'), {}, { skills: { ...skills, reader } })).toMatchObject({ kind: 'applied' })
  })
})

describe('a correction', () => {
  const transcript = stampTranscript(
    [
      { role: 'user', text: 'No, compile it with the release flag.' },
      { role: 'assistant', text: 'I will compile it with the debug flag.' },
    ],
    new Set(),
  )
  const users = [{ quote: 'compile it with the release flag' }]
  const agents = [{ quote: 'compile it with the debug flag' }]
  const change = patch('deploy', 'Build.', 'Compile.')
  const write: SkillOp = { action: 'write_file', name: 'deploy', filePath: 'references/api.md', content: 'The API is v2.\n' }

  it('is not counted if it takes too long to find the words', async () => {
    const long = stampTranscript([{ role: 'user', text: `${'Compile it. '.repeat(200_000)}` }], new Set())
    const { dispose, usage } = await setUp({ loaded: new Set(['deploy']) }, { context: () => ({ transcript: long }) })
    expect(await dispose(change, { evidence: users })).toMatchObject({ kind: 'applied' })
    expect(await usage.get('deploy')).toMatchObject({ correctionCount: 0 })
  })

  it.each<[number, string, SkillOp, SkillProposal['evidence'], readonly string[] | undefined]>([
    [1, "the user's words change a skill that was loaded", change, users, ['deploy']],
    [1, 'they change a file of it', write, users, ['deploy']],
    [1, 'they do so among other words', change, [...agents, ...users], ['deploy']],
    [0, 'another skill was loaded', change, users, ['lint']],
    [0, 'it is unknown what was loaded', change, users, undefined],
    [0, 'the words are those of the agent', change, agents, ['deploy']],
    [0, 'nobody said the words', change, [{ quote: 'compile it twice, please, and slowly' }], ['deploy']],
    [0, 'there are no words', change, undefined, ['deploy']],
    [0, 'the skill is archived', { action: 'archive', name: 'deploy' }, users, ['deploy']],
    [0, 'the skill is new', create('release'), users, ['release']],
  ])('is counted %i times if %s', async (expected, _, op, evidence, loaded) => {
    const { dispose, usage } = await setUp(loaded ? { loaded: new Set(loaded) } : {}, { context: () => ({ transcript }) })
    expect(await dispose(op, evidence ? { evidence } : {})).toMatchObject({ kind: 'applied' })
    const name = op.action === 'create' ? 'release' : 'deploy'
    expect(await usage.get(name)).toMatchObject({ correctionCount: expected })
  })
})

describe('a write', () => {
  const CHANGES: readonly (readonly [SkillOp, string])[] = [
    [create('release'), "Created the skill 'release'."],
    [{ ...create('release'), category: 'ops' } as SkillOp, "Created the skill 'release' in 'ops'."],
    [{ action: 'edit', name: 'deploy', content: text('deploy', '1. Ship.') }, "Rewrote the SKILL.md of the skill 'deploy'."],
    [patch('deploy', 'Build', 'Compile'), "Patched 'SKILL.md' of the skill 'deploy'."],
    [
      { action: 'patch', name: 'deploy', oldText: 'deploy.', newText: 'deploy!', replaceAll: true },
      "Patched 'SKILL.md' of the skill 'deploy'.",
    ],
    [
      { action: 'patch', name: 'deploy', filePath: 'references/api.md', oldText: 'I', newText: 'i', replaceAll: true },
      "Patched 'references/api.md' of the skill 'deploy'.",
    ],
    [
      { action: 'patch', name: 'deploy', filePath: 'references/api.md', oldText: 'v1', newText: 'v2', replaceAll: true },
      "Patched 'references/api.md' of the skill 'deploy' in 3 places.",
    ],
    [
      { action: 'write_file', name: 'deploy', filePath: 'references/api.md', content: 'x' },
      "Rewrote 'references/api.md' of the skill 'deploy'.",
    ],
    [{ action: 'write_file', name: 'deploy', filePath: 'references/b.md', content: 'x' }, "Added 'references/b.md' to the skill 'deploy'."],
    [
      { action: 'remove_file', name: 'deploy', filePath: 'references/api.md' },
      "Removed 'references/api.md' from the skill 'deploy'; the journal keeps its content.",
    ],
    [{ action: 'archive', name: 'deploy' }, "Archived the skill 'deploy'; it can be restored."],
    [
      { action: 'archive', name: 'deploy', absorbedInto: 'ship' },
      "Archived the skill 'deploy', whose content 'ship' contains from now on; it can be restored.",
    ],
    [
      { action: 'write_file', name: 'deploy', filePath: 'references/api.md', content: API },
      "'references/api.md' of the skill 'deploy' has exactly that content already; nothing changed.",
    ],
  ]

  it.each(CHANGES)('is told in a sentence: %o', async (op, message) => {
    const { dispose, store } = await setUp()
    await store.create({ name: 'ship', content: text('ship', '1. Ship.') })
    expect(await dispose(op, {}, { actor: 'agent' })).toMatchObject({ kind: 'applied', outcome: { message } })
  })

  it('gives back no text of a skill that is archived whole', async () => {
    const { dispose } = await setUp()
    const archived = await dispose({ action: 'archive', name: 'deploy' })
    expect(archived.kind === 'applied' && archived.outcome).not.toHaveProperty('previous')
  })

  it('reads a file of a mebibyte, and none that is larger', async () => {
    const { dispose, skills } = await setUp()
    const write: SkillOp = { action: 'write_file', name: 'deploy', filePath: 'references/api.md', content: 'short' }
    for (const [bytes, expected] of [
      [1_048_577, { kind: 'failed', error: { code: 'over_limit' } }],
      [1_048_576, { kind: 'applied' }],
    ] as const) {
      await updateDocument(skills.storage, 'skills/deploy/references/api.md', () => new Uint8Array(bytes).fill(0x78))
      expect(await dispose(write)).toMatchObject(expected)
    }
  })

  it('does not happen unattended if the skills cannot be listed: another may have the name', async () => {
    const { dispose, skills } = await setUp()
    const store = withMethods(skills.store, { list: async () => err(new HermesError('unreadable', 'no')) })
    const change = { skills: { ...skills, store } }
    expect(await dispose(patch('deploy', 'Build', 'Compile'), {}, change)).toMatchObject({ kind: 'failed', error: { code: 'unreadable' } })
  })

  it('keeps no credential in the reason of an archived skill', async () => {
    const { dispose, store } = await setUp()
    await dispose({ action: 'archive', name: 'deploy' }, { rationale: `The key is ghp_${'a1B2'.repeat(9)}` })
    expect(JSON.stringify(await store.listArchived())).not.toContain('a1B2a1B2')
  })

  it('fails with what the skills throw', async () => {
    const { dispose, skills } = await setUp()
    const cause = new Error('gone')
    const store = withMethods(skills.store, { commit: () => Promise.reject(cause) })
    expect(await dispose(patch('deploy', 'Build', 'Compile'), {}, { skills: { ...skills, store } })).toMatchObject({
      kind: 'failed',
      error: { code: 'io', cause },
    })
  })
})

describe('a patch of a file that others write at the same time', () => {
  const failing = async (code: 'drift' | 'io', isShown = false) => {
    const { dispose, skills } = await setUp()
    const viewed = await skills.store.view('deploy')
    const shown = new Map([['skills/deploy/SKILL.md', viewed.ok ? viewed.value.version : '']])
    let tries = 0
    const commit = async () => {
      tries++
      return err(new HermesError(code, 'no'))
    }
    const store = withMethods(skills.store, { commit })
    const change = { skills: { ...skills, store, ...(isShown ? { shown } : {}) } }
    const disposed = await dispose(patch('deploy', 'Build', 'Compile'), {}, change)
    return [disposed.kind === 'failed' && disposed.error.code, tries]
  }

  it('is tried four times', async () => {
    expect(await failing('drift')).toEqual(['drift', 4])
    expect(await failing('io')).toEqual(['io', 1])
  })

  it('is tried once by a review, which has read another text', async () => {
    expect(await failing('drift', true)).toEqual(['drift', 1])
  })
})

describe('the agent and its host', () => {
  it.each(['agent', 'host'] as const)('may change what a person wrote, unlike a review: %s', async (actor) => {
    const storage: StorageBackend = inMemoryBackend()
    const { dispose, usage } = await setUp({ storage })
    await usage.record('deploy', 'create', { createdBy: null })
    expect(await dispose(patch('deploy', 'Build', 'Compile'))).toMatchObject({ kind: 'rejected' })
    expect(await dispose(patch('deploy', 'Build', 'Compile'), {}, { actor })).toMatchObject({ kind: 'applied' })
  })

  it('let a review change what was handed over, until the time that was named', async () => {
    const { dispose, usage, skills } = await setUp()
    await usage.record('deploy', 'create', { createdBy: null })
    await grantManagement(skills.storage, clock, { skills: ['deploy'] }, { allow: ['merge'], until: clock() + 1 })
    const later = { skills: { ...skills, clock: () => clock() + 1 } }
    expect(await dispose(patch('deploy', 'Build', 'Compile'), {}, later)).toMatchObject({ kind: 'rejected' })
    expect(await dispose(patch('deploy', 'Build', 'Compile'))).toMatchObject({ kind: 'applied' })
  })
})
