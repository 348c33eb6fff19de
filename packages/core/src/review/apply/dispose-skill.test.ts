import { describe, expect, it, vi } from 'vitest'
import { disposeProposal } from '../../../test/support/dispose.ts'
import type { EvaluateSkill } from '../../evaluation/skill-evaluator.ts'
import type { GateContext, ReviewGate } from '../../gate/review-gate.ts'
import { createJournal } from '../../journal/journal.ts'
import { createPending } from '../../journal/pending.ts'
import { MemoryStore } from '../../memory/memory-store.ts'
import type { SkillProposal } from '../../proposal/review-proposal.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok } from '../../shared/result.ts'
import type { SkillOp } from '../../skills/skill-op.ts'
import { SkillStore } from '../../skills/skill-store.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import { readDocument, updateDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { UsageStore } from '../../usage/usage-store.ts'

const text = (name: string, ...lines: readonly string[]) => `---\nname: ${name}\ndescription: About ${name}.\n---\n\n${lines.join('\n')}\n`
const proposal = (op: SkillOp): SkillProposal => ({ target: 'skill', op, rationale: 'It worked.', score: 1 })
const yes: ReviewGate = async () => ok({ approved: true, reason: 'yes', origin: 'assistant' })
const path = 'skills/devops/deploy/SKILL.md'

const setUp = async (gate: ReviewGate = yes, storage: StorageBackend = inMemoryBackend()) => {
  const clock = () => 5_000
  const store = new SkillStore({ storage, clock })
  const usage = new UsageStore({ storage, clock })
  await store.create({ name: 'deploy', category: 'devops', content: text('deploy', '1. Build.', '2. Upload.') })
  await store.writeFile('deploy', 'references/api.md', 'The API is v1.\n')
  await usage.record('deploy', 'create', { createdBy: 'agent' })
  let count = 0
  const journal = createJournal({ storage, clock, createId: () => `id${count++}` })
  const pending = createPending({ storage, clock })
  const failures: [string, string][] = []
  const memory = new MemoryStore({ storage, clock })
  const skills = { store, usage, storage, clock }
  const shared = {
    gate,
    store: memory,
    journal,
    pending,
    onFailure: (error: HermesError, operation: string) => failures.push([error.code, operation]),
  }
  const records = async () => {
    const list = await journal.list()
    return list.ok ? list.value : []
  }
  const versionOf = async (filePath?: string) => {
    const viewed = filePath === undefined ? await store.view('deploy') : await store.view('deploy', filePath)
    return viewed.ok ? viewed.value.version : ''
  }
  const contentOf = async (name: string, filePath?: string) => {
    const viewed = await store.view(name, filePath)
    return viewed.ok ? viewed.value.content : undefined
  }
  const shownAll = async () =>
    new Map([
      [path, await versionOf()],
      ['skills/devops/deploy/references/api.md', await versionOf('references/api.md')],
    ])
  return {
    agent: { ...shared, skills, actor: 'agent' as const },
    review: async (shown?: ReadonlyMap<string, string>) => ({
      ...shared,
      skills: { ...skills, shown: shown ?? (await shownAll()) },
      actor: 'review' as const,
    }),
    store,
    usage,
    storage,
    pending,
    failures,
    records,
    contentOf,
    versionOf,
  }
}

const patch = (oldText: string, newText: string, filePath?: string): SkillOp => ({
  action: 'patch',
  name: 'deploy',
  oldText,
  newText,
  filePath,
})
const create = { action: 'create', name: 'release', category: 'devops', content: text('release', '1. Tag.') } as const satisfies SkillOp

describe('a change of a skill that the gate approves', () => {
  it('creates a skill that the curator may manage, and journals it', async () => {
    const { agent, usage, contentOf, records } = await setUp()
    expect(await disposeProposal(proposal(create), agent)).toMatchObject({
      ok: true,
      value: {
        kind: 'applied',
        verdict: { origin: 'assistant' },
        outcome: { target: 'skill', action: 'create', name: 'release', path: 'devops/release', filePath: 'SKILL.md' },
      },
    })
    expect(await contentOf('release')).toContain('1. Tag.')
    expect(await usage.get('release')).toMatchObject({ createdBy: 'agent', patchCount: 0 })
    expect(await records()).toMatchObject([{ actor: 'agent', kind: 'applied', target: 'skill', op: create, origin: 'assistant' }])
  })

  it.each<[string, SkillOp, string | undefined, string]>([
    ['edits', { action: 'edit', name: 'deploy', content: text('deploy', '1. Ship.') }, undefined, '1. Ship.'],
    ['patches', patch('Upload', 'Publish'), undefined, '2. Publish.'],
    ['patches a file of', patch('v1', 'v2', 'references/api.md'), 'references/api.md', 'The API is v2.'],
    [
      'rewrites a file of',
      { action: 'write_file', name: 'deploy', filePath: 'references/api.md', content: 'Gone.' },
      'references/api.md',
      'Gone.',
    ],
    ['adds a file to', { action: 'write_file', name: 'deploy', filePath: 'scripts/new.sh', content: 'true' }, 'scripts/new.sh', 'true'],
  ])('%s a skill, counts it as a patch and keeps what was there before', async (_, op, filePath, expected) => {
    const { review, usage, contentOf, records } = await setUp()
    const before = await contentOf('deploy', filePath)
    expect(await disposeProposal(proposal(op), await review())).toMatchObject({
      ok: true,
      value: { kind: 'applied', outcome: { name: 'deploy' } },
    })
    expect(await contentOf('deploy', filePath)).toContain(expected)
    expect(await usage.get('deploy')).toMatchObject({ patchCount: 1, createdBy: 'agent' })
    expect((await records())[0]?.previous).toEqual(before === undefined ? undefined : [before])
  })

  it('leaves a file alone that holds the text already', async () => {
    const { review, usage, contentOf } = await setUp()
    const op: SkillOp = { action: 'edit', name: 'deploy', content: (await contentOf('deploy')) ?? '' }
    expect(await disposeProposal(proposal(op), await review())).toMatchObject({
      ok: true,
      value: { kind: 'applied', outcome: { message: expect.stringContaining('nothing changed') } },
    })
    expect(await usage.get('deploy')).toMatchObject({ patchCount: 0 })
  })
})

describe('what others are asked about a change of a skill', () => {
  const said = (origin: 'user' | 'tool'): Partial<GateContext> => ({ transcript: [{ id: 'm1', role: origin, origin, text: 'said' }] })

  it('is, of the gate, with the text that it changes', async () => {
    const seen: GateContext['skill'][] = []
    const { agent } = await setUp(async (_, context) => {
      seen.push(context?.skill)
      return ok({ approved: true, reason: 'yes' })
    })
    for (const op of [patch('Upload', 'Publish'), create]) await disposeProposal(proposal(op), agent)
    expect(seen).toEqual([{ current: text('deploy', '1. Build.', '2. Upload.') }, { current: undefined }])
  })

  it.each<[string, SkillOp, Partial<GateContext>, ReviewGate, readonly unknown[]]>([
    ['a patch', patch('Upload', 'Publish'), {}, yes, [false, 'SKILL.md', text('deploy', '1. Build.', '2. Publish.'), 'assistant']],
    ['a new skill', create, {}, yes, [true, 'SKILL.md', create.content, 'assistant']],
    [
      'what the agent saw',
      create,
      said('user'),
      async () => ok({ approved: true, reason: '' }),
      [true, 'SKILL.md', create.content, 'assistant'],
    ],
    [
      'what came from outside',
      create,
      said('tool'),
      async () => ok({ approved: true, reason: '' }),
      [true, 'SKILL.md', create.content, 'tool'],
    ],
  ])('is, of an evaluator, once for a change: %s', async (_, op, context, gate, expected) => {
    const evaluate = vi.fn<EvaluateSkill>(async () => ({ verdict: 'hold', reason: 'unsure' }))
    const { agent } = await setUp(gate)
    const answers = { verdicts: new Map(), evaluations: new Map() }
    for (let time = 0; time < 2; time++) {
      const disposed = await disposeProposal(proposal(op), { ...agent, evaluate, answers, context: () => context })
      expect(disposed).toMatchObject({ value: { kind: 'held', reason: 'unsure' } })
    }
    expect(evaluate.mock.calls.map(([, { isNew, files }, , origin]) => [isNew, ...[...files].flat(), origin])).toEqual([expected])
  })

  it('is nothing, of an evaluator, where no text changes or the gate does not approve', async () => {
    const evaluate = vi.fn<EvaluateSkill>(async () => ({ verdict: 'approve', reason: 'fine' }))
    const { agent, contentOf } = await setUp()
    const no: ReviewGate = async () => ok({ approved: false, reason: 'no' })
    const same = (await contentOf('deploy')) ?? ''
    await disposeProposal(proposal(create), { ...agent, evaluate, gate: no })
    await disposeProposal(proposal({ action: 'edit', name: 'deploy', content: same }), { ...agent, evaluate })
    await disposeProposal(proposal({ action: 'archive', name: 'deploy' }), { ...agent, evaluate })
    expect(evaluate).not.toHaveBeenCalled()
    const disposed = await disposeProposal(proposal(create), { ...agent, evaluate })
    expect(disposed).toMatchObject({ value: { kind: 'applied', evaluation: { verdict: 'approve' } } })
  })
})

describe('a change of a skill that is refused before the gate', () => {
  const neverAsked: ReviewGate = async () => {
    throw new Error('the gate must not be asked')
  }

  it.each<[string, SkillOp, string]>([
    ['a skill that is not there', { action: 'edit', name: 'absent', content: text('absent', 'x') }, 'not_found'],
    ['a name that is taken', { action: 'create', name: 'deploy', content: text('deploy', 'x') }, 'occupied'],
    ['a text without front matter', { action: 'create', name: 'plain', content: 'Just text.' }, 'invalid'],
    ['a text longer than a skill', { action: 'create', name: 'long', content: text('long', 'x'.repeat(100_001)) }, 'over_limit'],
    ['a giant text', patch('Upload', 'x'.repeat(200_001)), 'over_limit'],
    ['half a character', { action: 'edit', name: 'deploy', content: text('deploy', '\ud800') }, 'invalid'],
    ['a patch that fits nowhere', patch('no such line', 'x'), 'not_found'],
    ['another name in the front matter', { action: 'edit', name: 'deploy', content: text('other', 'x') }, 'invalid'],
    ['SKILL.md as a support file', { action: 'write_file', name: 'deploy', filePath: 'SKILL.md', content: 'x' }, 'invalid_path'],
    ['a file outside the support folders', { action: 'write_file', name: 'deploy', filePath: '../x.md', content: 'x' }, 'invalid_path'],
    ['a file that is not there', { action: 'remove_file', name: 'deploy', filePath: 'references/none.md' }, 'not_found'],
    ['a skill absorbed into itself', { action: 'archive', name: 'deploy', absorbedInto: 'devops/deploy' }, 'invalid'],
    ['a skill absorbed into one that is not there', { action: 'archive', name: 'deploy', absorbedInto: 'absent' }, 'not_found'],
  ])('fails for %s', async (_, op, code) => {
    const { agent, records } = await setUp(neverAsked)
    expect(await disposeProposal(proposal(op), agent)).toMatchObject({ ok: true, value: { kind: 'failed', error: { code } } })
    expect(await records()).toMatchObject([{ kind: 'failed', error: { code } }])
  })

  it('fails for a file that is too large to be read, even where it would become shorter', async () => {
    const { agent, storage } = await setUp(neverAsked)
    await updateDocument(storage, 'skills/devops/deploy/references/api.md', () => new Uint8Array(1_048_577).fill(0x78))
    const op = { action: 'write_file', name: 'deploy', filePath: 'references/api.md', content: 'short' } as const
    expect(await disposeProposal(proposal(op), agent)).toMatchObject({ value: { kind: 'failed', error: { code: 'over_limit' } } })
  })

  it('rejects a credential that only the patched text completes', async () => {
    const { agent, store } = await setUp(neverAsked)
    await store.patch('deploy', { oldText: '2. Upload.', newText: '2. Log in, the password is\nsecret.' })
    expect(await disposeProposal(proposal(patch('is\nsecret.', 'is hunter2hunter2')), agent)).toMatchObject({
      ok: true,
      value: { kind: 'rejected' },
    })
  })
})

describe('whose skill it is', () => {
  const mark = async (storage: StorageBackend, where: string, content: string) => {
    await updateDocument(storage, where, () => new TextEncoder().encode(content))
  }
  const makePinned = async ({ usage }: Awaited<ReturnType<typeof setUp>>) => void (await usage.pin('deploy'))
  const makeBundled = ({ storage }: Awaited<ReturnType<typeof setUp>>) => mark(storage, 'skills/.bundled_manifest', 'deploy:abc\n')
  const makeUsers = async ({ usage }: Awaited<ReturnType<typeof setUp>>) => void (await usage.record('deploy', 'create'))

  it.each([
    ['pinned', makePinned, 'pinned'],
    ['bundled', makeBundled, 'came with the product'],
    ["a user's", makeUsers, 'not written by the agent'],
  ] as const)('an unattended review never touches a skill that is %s', async (_, make, reason) => {
    const home = await setUp()
    await make(home)
    for (const op of [patch('Upload', 'Publish'), { action: 'archive', name: 'deploy' }] as const)
      expect(await disposeProposal(proposal(op), await home.review())).toMatchObject({
        ok: true,
        value: { kind: 'rejected', reason: expect.stringContaining(reason) },
      })
    expect(await home.contentOf('deploy')).toContain('Upload')
  })

  const CHANGES: readonly SkillOp[] = [
    patch('Upload', 'Publish'),
    patch('v1', 'v2', 'references/api.md'),
    { action: 'edit', name: 'deploy', content: text('deploy', '1. Ship.') },
    { action: 'write_file', name: 'deploy', filePath: 'references/api.md', content: 'The API is v3.\n' },
    { action: 'write_file', name: 'deploy', filePath: 'scripts/new.sh', content: 'true' },
    { action: 'remove_file', name: 'deploy', filePath: 'references/api.md' },
    { action: 'archive', name: 'deploy' },
  ]

  const everyByte = async (storage: StorageBackend) => {
    const listed = await storage.list('skills/devops')
    return JSON.stringify(listed.ok ? await Promise.all(listed.value.map(({ path: file }) => readDocument(storage, file))) : listed.error)
  }

  it.each(CHANGES)('a pinned skill stays as it is, for the agent in front of the user as for a review: $action $filePath', async (op) => {
    const home = await setUp()
    await makePinned(home)
    const before = await everyByte(home.storage)
    for (const deps of [home.agent, { ...home.agent, actor: 'host' as const }, await home.review()])
      expect(await disposeProposal(proposal(op), deps)).toMatchObject({
        ok: true,
        value: { kind: 'rejected', reason: expect.stringContaining("'deploy' is pinned") },
      })
    expect(await everyByte(home.storage)).toBe(before)
    expect(await home.pending.list()).toEqual(ok([]))
  })

  it('nothing is changed if it is unknown what is pinned', async () => {
    const home = await setUp()
    await mark(home.storage, 'skills/.usage.json', '{"deploy": {"pinned": true')
    for (const op of CHANGES)
      expect(await disposeProposal(proposal(op), home.agent)).toMatchObject({ value: { kind: 'failed', error: { code: 'unreadable' } } })
    expect(await home.contentOf('deploy')).toContain('Upload')
  })

  it.each([
    ['bundled', makeBundled, false],
    ["a user's", makeUsers, true],
  ] as const)(
    'the agent in front of the user may patch a skill that is %s, and archive it only where it is the user’s',
    async (_, make, archives) => {
      const home = await setUp()
      await make(home)
      expect(await disposeProposal(proposal(patch('Upload', 'Publish')), home.agent)).toMatchObject({
        ok: true,
        value: { kind: 'applied' },
      })
      expect(await disposeProposal(proposal({ action: 'archive', name: 'deploy' }), home.agent)).toMatchObject({
        ok: true,
        value: { kind: archives ? 'applied' : 'rejected' },
      })
    },
  )

  it('nothing is changed unattended if the owner is unknown', async () => {
    const home = await setUp()
    await mark(home.storage, 'skills/.hub/lock.json', '{ broken')
    expect(await disposeProposal(proposal(patch('Upload', 'Publish')), await home.review())).toMatchObject({
      ok: true,
      value: { kind: 'failed', error: { code: 'unreadable' } },
    })
    expect(await home.contentOf('deploy')).toContain('Upload')
  })
})

describe('an unattended review', () => {
  it('changes nothing that it was not shown', async () => {
    const { review, contentOf } = await setUp()
    for (const op of [
      patch('Upload', 'Publish'),
      { action: 'edit', name: 'deploy', content: text('deploy', 'x') },
      { action: 'write_file', name: 'deploy', filePath: 'references/api.md', content: 'x' },
      { action: 'write_file', name: 'deploy', filePath: 'references/new.md', content: 'x' },
      { action: 'remove_file', name: 'deploy', filePath: 'references/api.md' },
      { action: 'archive', name: 'deploy' },
    ] as const)
      expect(await disposeProposal(proposal(op), await review(new Map()))).toMatchObject({
        ok: true,
        value: { kind: 'rejected', reason: expect.stringContaining('was not shown') },
      })
    expect(await contentOf('deploy', 'references/api.md')).toBe('The API is v1.\n')
    expect(await disposeProposal(proposal(create), await review(new Map()))).toMatchObject({ ok: true, value: { kind: 'applied' } })
  })

  it('needs the SKILL.md alone for a new file, and the file itself for one that is there', async () => {
    const { review, versionOf } = await setUp()
    const shown = new Map([[path, await versionOf()]])
    const file = (filePath: string) => proposal({ action: 'write_file', name: 'deploy', filePath, content: 'x' })
    expect(await disposeProposal(file('references/new.md'), await review(shown))).toMatchObject({ ok: true, value: { kind: 'applied' } })
    expect(await disposeProposal(file('references/api.md'), await review(shown))).toMatchObject({ ok: true, value: { kind: 'rejected' } })
  })

  it('never overwrites what another writer left while the gate was asked', async () => {
    const racing: { store?: SkillStore } = {}
    const gate: ReviewGate = async () => {
      await racing.store?.patch('deploy', { oldText: '1. Build.', newText: '1. Build twice.' })
      return ok({ approved: true, reason: 'yes' })
    }
    const { review, store, contentOf } = await setUp(gate)
    racing.store = store
    expect(await disposeProposal(proposal(patch('Upload', 'Publish')), await review())).toMatchObject({
      ok: true,
      value: { kind: 'failed', error: { code: 'drift' } },
    })
    expect(await contentOf('deploy')).toContain('1. Build twice.\n2. Upload.')
  })
})

describe('two writers in front of the user', () => {
  it('both patch another place of one file', async () => {
    const { agent, contentOf, records } = await setUp()
    const both = [patch('Build', 'Compile'), patch('Upload', 'Publish')].map((op) => disposeProposal(proposal(op), agent))
    expect(await Promise.all(both)).toMatchObject([{ value: { kind: 'applied' } }, { value: { kind: 'applied' } }])
    expect(await contentOf('deploy')).toContain('1. Compile.\n2. Publish.')
    expect((await records()).map(({ kind }) => kind)).toEqual(['applied', 'applied'])
  })

  it('never write the same new file over each other', async () => {
    const { agent, contentOf } = await setUp()
    const write = (content: string) =>
      disposeProposal(proposal({ action: 'write_file', name: 'deploy', filePath: 'references/new.md', content }), agent)
    const kinds = (await Promise.all([write('one'), write('two')])).map((disposed) => disposed.ok && disposed.value.kind)
    expect(kinds).toEqual(['applied', 'failed'])
    expect(await contentOf('deploy', 'references/new.md')).toBe('one')
  })
})

describe('a change of a skill that the gate does not approve', () => {
  it('is rejected, or fails the pass if the gate fails', async () => {
    const rejected = await setUp(async () => ok({ approved: false, reason: 'no' }))
    expect(await disposeProposal(proposal(create), rejected.agent)).toEqual(
      ok({ kind: 'rejected', proposal: proposal(create), reason: 'no' }),
    )
    const failing = await setUp(async () => err(new HermesError('gate', 'down')))
    expect(await disposeProposal(proposal(create), failing.agent)).toMatchObject({ ok: false, error: { code: 'gate' } })
    expect(await failing.records()).toMatchObject([{ kind: 'failed', error: { code: 'gate' } }])
    expect(await failing.store.view('release')).toMatchObject({ ok: false })
  })
})
