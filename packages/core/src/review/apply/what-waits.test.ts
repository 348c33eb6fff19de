/** A change that waits, that was decided before, or that could not be written: the same for memory and for skills. */
import { describe, expect, it } from 'vitest'
import { disposeProposal } from '../../../test/support/dispose.ts'
import type { ReviewGate } from '../../gate/review-gate.ts'
import { createJournal } from '../../journal/journal.ts'
import { createPending, pendingId } from '../../journal/pending.ts'
import { MemoryStore } from '../../memory/memory-store.ts'
import type { ReviewProposal } from '../../proposal/review-proposal.ts'
import { HermesError, type HermesErrorCode } from '../../shared/hermes-error.ts'
import { err, ok } from '../../shared/result.ts'
import { SkillStore } from '../../skills/skill-store.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { UsageStore } from '../../usage/usage-store.ts'
import { emptyOutcome, findUnwritten } from '../review-outcome.ts'
import type { DisposalOptions } from './disposal.ts'

const skillText = (body: string) => `---\nname: deploy\ndescription: How to deploy.\n---\n\n${body}\n`

const FACT: ReviewProposal = { target: 'memory', op: { action: 'add', content: 'Lives in Oslo' }, rationale: 'said', score: 1 }
const PATCH: ReviewProposal = {
  target: 'skill',
  op: { action: 'patch', name: 'deploy', oldText: 'Build.', newText: 'Compile.' },
  rationale: 'said',
  score: 1,
}
const BOTH = [
  ['memory', FACT, 'memories/'],
  ['a skill', PATCH, 'skills/deploy/'],
] as const

const yes: ReviewGate = async () => ok({ approved: true, reason: 'yes' })
const ask: ReviewGate = async () => ok({ approved: false, held: true, reason: 'ask' })

const setUp = async (more: Partial<DisposalOptions> = {}) => {
  const inner = inMemoryBackend()
  const broken = new Set<string>()
  const time = { now: 1_000 }
  const clock = () => time.now
  const storage: StorageBackend = {
    ...inner,
    update: async (paths, plan, options) =>
      [...broken].some((part) => paths.some((path) => path.startsWith(part)))
        ? err(new HermesError('io', 'The disk is gone.'))
        : inner.update(paths, plan, options),
  }
  const skills = { store: new SkillStore({ storage, clock }), usage: new UsageStore({ storage, clock }), storage, clock }
  await skills.store.create({ name: 'deploy', content: skillText('Build.') })
  await skills.usage.record('deploy', 'create', { createdBy: 'agent' })
  const memory = new MemoryStore({ storage, clock })
  await memory.load()
  let count = 0
  const journal = createJournal({ storage, clock, createId: () => `id${count++}` })
  const pending = createPending({ storage, clock })
  const failures: [string, string][] = []
  const deps: DisposalOptions = {
    gate: yes,
    store: memory,
    skills,
    journal,
    pending,
    clock,
    onFailure: ({ code }, operation) => failures.push([code, operation]),
    ...more,
  }
  const dispose = async (proposal: ReviewProposal) => {
    const disposed = await disposeProposal(proposal, deps)
    if (!disposed.ok) throw disposed.error
    return disposed.value
  }
  const records = async () => {
    const list = await journal.list()
    return list.ok ? list.value : []
  }
  const waiting = async () => {
    const list = await pending.list()
    return list.ok ? list.value : []
  }
  return { deps, dispose, broken, records, waiting, failures, journal, time, clock, skills }
}

describe('a change that waits', () => {
  it.each(BOTH)('of %s has the id of its operation, in the queue and in the journal', async (_, proposal) => {
    const { dispose, records, waiting } = await setUp({ gate: ask })
    const id = await pendingId(proposal.target, [proposal.op])
    expect(await dispose(proposal)).toMatchObject({ kind: 'held', pendingId: id })
    expect(await waiting()).toMatchObject([{ id, ops: [proposal.op] }])
    expect(await records()).toMatchObject([{ kind: 'held', pendingId: id }])
  })

  it.each(BOTH)('of %s counts as held also if the queue cannot be written, which is reported', async (_, proposal) => {
    const { dispose, broken, records, failures } = await setUp({ gate: ask })
    broken.add('pending/')
    const disposed = await dispose(proposal)
    expect(disposed).toMatchObject({ kind: 'held', reason: 'ask' })
    expect(disposed).not.toHaveProperty('pendingId')
    expect(failures).toEqual([['io', 'pending']])
    expect(await records()).toMatchObject([{ kind: 'held', reason: 'ask' }])
  })

  it.each(BOTH)('of %s is not asked about again once a person has decided it', async (_, proposal) => {
    const { deps, journal, records, waiting } = await setUp({ gate: ask })
    const dispose = () => disposeProposal(proposal, { ...deps, decisions: journal })
    expect(await dispose()).toMatchObject({ ok: true, value: { kind: 'held' } })
    const id = await pendingId(proposal.target, [proposal.op])
    await journal.append([{ actor: 'host', kind: 'rejected', reason: 'no', pendingId: id }])
    expect(await dispose()).toMatchObject({ ok: true, value: { kind: 'rejected', reason: expect.stringContaining('was decided') } })
    expect(await waiting()).toHaveLength(1)
    expect((await records()).map(({ kind }) => kind)).toEqual(['held', 'rejected', 'rejected'])
  })
})

describe('an approved change that the storage fails to write', () => {
  it.each(BOTH)('of %s fails, so that the next review tries it again', async (_, proposal, folder) => {
    const { dispose, broken, records, waiting } = await setUp()
    broken.add(folder)
    expect(await dispose(proposal)).toMatchObject({ kind: 'failed', error: { code: 'io' } })
    expect(await waiting()).toEqual([])
    expect(await records()).toMatchObject([{ kind: 'failed', error: { code: 'io' } }])
  })

  it.each(BOTH)('of %s waits for a person if no later review tries it', async (_, proposal, folder) => {
    const { dispose, broken, waiting } = await setUp({ holdsUnwritten: true })
    broken.add(folder)
    const reason = expect.stringMatching(/^It was approved, but .* The disk is gone\. /)
    expect(await dispose(proposal)).toMatchObject({ kind: 'held', reason, pendingId: expect.any(String) })
    expect(await waiting()).toMatchObject([{ ops: [proposal.op], reason }])
  })

  it.each(BOTH)('of %s fails even then without a queue', async (_, proposal, folder) => {
    const { dispose, broken } = await setUp({ holdsUnwritten: true, pending: undefined as never })
    broken.add(folder)
    expect(await dispose(proposal)).toMatchObject({ kind: 'failed', error: { code: 'io' } })
  })

  it('fails even then if it is the change that is refused', async () => {
    const { dispose, waiting } = await setUp({ holdsUnwritten: true, actor: 'agent' })
    const removal: ReviewProposal = { ...FACT, op: { action: 'remove', oldText: 'nothing like it' } }
    expect(await dispose(removal)).toMatchObject({ kind: 'failed', error: { code: 'not_found' } })
    expect(await waiting()).toEqual([])
    const racing = await setUp({ holdsUnwritten: true, gate: (...given) => race(...given) })
    const race: ReviewGate = async () => {
      await racing.skills.store.patch('deploy', { oldText: 'Build.', newText: 'Build twice.' })
      return ok({ approved: true, reason: 'yes' })
    }
    const edit: ReviewProposal = { ...PATCH, op: { action: 'edit', name: 'deploy', content: skillText('Ship.') } }
    expect(await racing.dispose(edit)).toMatchObject({ kind: 'failed', error: { code: expect.not.stringMatching('io') } })
    expect(await racing.waiting()).toEqual([])
  })

  it('is not tried a second time by the same review', async () => {
    let tries = 0
    const apply = async () => {
      tries++
      return err(new HermesError('io', 'The disk is gone.'))
    }
    const { dispose } = await setUp({ store: { apply }, pass: 'own-words' })
    expect(await dispose(FACT)).toMatchObject({ kind: 'failed' })
    expect(tries).toBe(1)
  })
})

describe('what a person has decided between two reviews of the same turns', () => {
  const DAY = 86_400_000
  type Decided = 'held' | 'applied' | 'rejected'

  const decided = async (kinds: readonly Decided[], later = 0) => {
    const { deps, journal, time, failures } = await setUp({ gate: ask })
    const id = await pendingId(FACT.target, [FACT.op])
    for (const kind of kinds) {
      time.now += 1
      await journal.append([{ actor: 'host', kind, reason: '', pendingId: id }])
    }
    time.now += later
    const was = async (proposal: ReviewProposal) => {
      const disposed = await disposeProposal(proposal, { ...deps, decisions: journal })
      return disposed.ok && disposed.value.kind === 'rejected'
    }
    return { fact: await was(FACT), other: await was(PATCH), failures }
  }

  it.each<[readonly Decided[], boolean]>([
    [[], false],
    [['held'], false],
    [['held', 'rejected'], true],
    [['held', 'applied'], true],
    // Put back after a no: it waits again.
    [['held', 'rejected', 'held'], false],
  ])('after %o: %s', async (kinds, expected) => {
    expect(await decided(kinds)).toMatchObject({ fact: expected, other: false, failures: [] })
  })

  it('looks back a week', async () => {
    expect(await decided(['rejected'], 7 * DAY)).toMatchObject({ fact: true })
    expect(await decided(['rejected'], 7 * DAY + 1)).toMatchObject({ fact: false })
  })

  it('asks a second time if the journal cannot be read, which is reported', async () => {
    const { deps, failures } = await setUp({ gate: ask })
    const decisions = { list: async () => err(new HermesError('unreadable', 'no')) }
    expect(await disposeProposal(FACT, { ...deps, decisions })).toMatchObject({ ok: true, value: { kind: 'held' } })
    expect(failures).toEqual([['unreadable', 'read journal']])
  })
})

describe('findUnwritten', () => {
  const failed = (code: HermesErrorCode, details = {}) => ({ proposal: FACT, error: new HermesError(code, 'No.', { details }) })
  const held = { proposal: FACT, reason: 'ask' }
  const applied = { proposal: FACT, verdict: { verdict: 'approve', reason: '' }, outcome: {} } as never

  it('finds nothing if all was stored, or refused for what it is', () => {
    const refused = [
      failed('not_found'),
      failed('over_limit'),
      failed('capped', { causeCode: 'over_limit' }),
      failed('not_found', { causeCode: 'io' }),
    ]
    expect(findUnwritten({ applied: [applied], held: [{ ...held, pendingId: 'p1' }], rejected: [held], failed: refused })).toBeUndefined()
  })

  it.each([
    ['io', failed('io')],
    ['no_space', failed('no_space')],
    ['unwritable', failed('unwritable')],
    ['unreadable', failed('unreadable')],
    ['locked', failed('locked')],
    ['io', failed('capped', { causeCode: 'no_space' })],
  ] as const)('finds a failure of the storage: %s', (code, failure) => {
    const outcome = { ...emptyOutcome(), applied: [applied], held: [{ ...held, pendingId: 'p1' }], failed: [failed('not_found'), failure] }
    const found = findUnwritten(outcome)
    expect(found).toMatchObject({ code, cause: failure.error, message: expect.stringMatching(/^1 of 4 .*: No\.$/) })
    // A log of the error holds no text of memory.
    expect(found?.details['outcome']).toBe(outcome)
    expect(Object.keys(found?.details ?? {})).toEqual([])
  })

  it('finds what could not be put in the queue', () => {
    const found = findUnwritten({ ...emptyOutcome(), held: [held], failed: [failed('not_found')] })
    expect(found).toMatchObject({ code: 'io', message: expect.stringMatching(/^1 of 2 /) })
    expect(found?.cause).toBeUndefined()
    expect(findUnwritten({ ...emptyOutcome(), held: [held], failed: [failed('locked')] })).toMatchObject({
      code: 'locked',
      message: expect.stringMatching(/^2 of 2 /),
    })
  })
})
