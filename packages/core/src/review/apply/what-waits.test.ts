/** A change that waits, that was decided before, or that could not be written: the same for memory and for skills. */
import { describe, expect, it } from 'vitest'
import { disposeProposal } from '../../../test/support/dispose.ts'
import type { ReviewGate } from '../../gate/review-gate.ts'
import { createJournal } from '../../journal/journal.ts'
import { createPending, pendingId } from '../../journal/pending.ts'
import type { MemoryOp, MemoryTarget } from '../../memory/memory-op.ts'
import { MemoryStore } from '../../memory/memory-store.ts'
import type { MemoryProposal, ReviewProposal } from '../../proposal/review-proposal.ts'
import { HermesError, type HermesErrorCode } from '../../shared/hermes-error.ts'
import type { Origin } from '../../shared/origin.ts'
import { err, ok } from '../../shared/result.ts'
import { SkillStore } from '../../skills/skill-store.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { UsageStore } from '../../usage/usage-store.ts'
import { emptyOutcome, findUnwritten } from '../review-outcome.ts'
import { corroboratedEntries, refusePinned, saysTheSame, settleHeld } from './corroborate.ts'
import { Disposal } from './disposal.ts'
import type { DisposalOptions } from './disposal-options.ts'
import { findMerges } from './merge-groups.ts'

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

type Group = readonly [MemoryProposal, ...MemoryProposal[]]

const propose = (op: MemoryOp, target: MemoryProposal['target'] = 'memory'): MemoryProposal => ({
  target,
  op,
  rationale: 'said',
  score: 0.8,
})

const add = (content: string): MemoryOp => ({ action: 'add', content })
const replace = (oldText: string, content: string): MemoryOp => ({ action: 'replace', oldText, content })
const remove = (oldText: string): MemoryOp => ({ action: 'remove', oldText })

const home = async (
  entries: Readonly<Record<string, Origin>> = {},
  pinned: readonly string[] = [],
  more: Partial<DisposalOptions> = {},
) => {
  const storage = inMemoryBackend()
  const clock = () => 5
  const store = new MemoryStore({ storage, clock })
  await store.load()
  for (const [content, origin] of Object.entries(entries)) await store.apply('memory', add(content), { origin })
  for (const entry of pinned) await store.pin('memory', entry)
  await store.load()
  let count = 0
  const journal = createJournal({ storage, clock, createId: () => `id${count++}` })
  const waiting = createPending({ storage, clock })
  const deps: DisposalOptions = {
    gate: async () => ok({ approved: true, reason: '' }),
    store,
    journal,
    pending: waiting,
    ...more,
  }
  const records = async () => {
    const list = await journal.list()
    return list.ok ? list.value : []
  }
  const held = async () => {
    const list = await waiting.list()
    return list.ok ? list.value : []
  }
  return { deps, waiting, records, held }
}

describe('what a person has pinned', () => {
  const refused = async (ops: readonly [MemoryOp, ...MemoryOp[]], more: Partial<DisposalOptions> = {}, pinned = ['Likes tea.']) => {
    const { deps } = await home({ 'Likes tea.': 'user', 'Lives in Porto.': 'user', 'Sells teapots.': 'user' }, pinned, more)
    return (await refusePinned(ops.map((op) => propose(op)) as unknown as Group, new Disposal(deps))) !== undefined
  }

  it('is changed by no review and by no call of the agent', async () => {
    expect(await refused([replace('tea.', 'Likes coffee.')])).toBe(true)
    expect(await refused([remove('tea.')], { actor: 'agent' })).toBe(true)
    expect(await refused([add('Likes coffee.'), remove('tea.')])).toBe(true)
    expect(await refused([remove('Porto'), remove('tea.')])).toBe(true)
    // The second operation finds the pinned entry only once the first has made its text unique.
    expect(await refused([remove('teapots'), remove('tea')])).toBe(true)
    expect(await refused([add('Drinks tea. Often.'), remove('tea.')])).toBe(true)
    expect(await refused([remove('tea')])).toBe(false)
  })

  it('is changed by a person and by the host', async () => {
    for (const actor of ['person', 'host'] as const) expect(await refused([remove('tea.')], { actor })).toBe(false)
  })
})

describe('saysTheSame', () => {
  it('holds for the same text, even without words, and for no two texts without words', () => {
    expect(saysTheSame('!!', '!!')).toBe(true)
    expect(saysTheSame('!!', '??')).toBe(false)
    expect(saysTheSame('Likes tea.', 'Likes green tea.')).toBe(false)
  })

  it.each([
    ['the address', 'Docs are at /srv/docs', 'Docs are at srv docs', 'Docs: at /srv/docs!'],
    ['the number', 'Needs version 1.2', 'Needs version 1 2', 'Version 1.2 needed'],
  ])('holds only if %s is the same', (_, one, other, same) => {
    expect([saysTheSame(one, other), saysTheSame(other, one), saysTheSame(one, same)]).toEqual([false, false, true])
  })
})

describe('entries from outside that the own words corroborate', () => {
  const FEDORA = 'Staging runs on Fedora.'
  const entries = { [FEDORA]: 'tool', 'Fedora runs on staging.': 'user', 'Builds take a minute.': 'tool' } as const

  it('are those of the same meaning', async () => {
    const { deps } = await home(entries)
    expect(await corroboratedEntries(propose(add('Staging runs on Fedora!')), new Disposal(deps))).toEqual([FEDORA])
    expect(await corroboratedEntries(propose(replace('minute', 'On Fedora runs staging.')), new Disposal(deps))).toEqual([FEDORA])
    expect(await corroboratedEntries(propose(add('Staging runs on Debian.')), new Disposal(deps))).toEqual([])
    expect(await corroboratedEntries(propose(add(FEDORA), 'user'), new Disposal(deps))).toEqual([])
  })

  it('are not those that a person has pinned, in other words', async () => {
    const { deps } = await home({ ...entries, 'On Fedora runs staging.': 'tool' }, [FEDORA])
    const found = (content: string) => corroboratedEntries(propose(add(content)), new Disposal(deps))
    expect(await found('Staging runs on Fedora!')).toEqual(['On Fedora runs staging.'])
    expect(await found(FEDORA)).toEqual([FEDORA, 'On Fedora runs staging.'])
  })

  it('are none for a removal, or in a store that knows no origins', async () => {
    const { deps } = await home(entries)
    expect(await corroboratedEntries(propose(remove(FEDORA)), new Disposal(deps))).toEqual([])
    const { apply } = deps.store
    expect(await corroboratedEntries(propose(add(FEDORA)), new Disposal({ ...deps, store: { apply } }))).toEqual([])
  })
})

describe('what waits for a person', () => {
  const settled = async (held: Group, written: readonly MemoryOp[]) => {
    const { deps, waiting, held: list, records } = await home()
    await waiting.hold({ proposals: held, reason: 'ask' })
    await settleHeld(
      written.map((op) => propose(op)),
      new Disposal(deps),
    )
    return { left: (await list()).length, records: await records() }
  }

  it.each([
    ['an addition', add('Uses pnpm.'), add('Uses pnpm!')],
    ['an addition, by a replacement', add('Uses pnpm.'), replace('npm', 'Uses pnpm!')],
    ['a replacement', replace('npm', 'Uses pnpm.'), add('Uses pnpm.')],
    ['a removal', remove('npm'), remove('Uses npm.')],
  ])('is settled if the own words led to the same: %s', async (_, held, written) => {
    const { left, records } = await settled([propose(held)], [add('Something else.'), written])
    expect(left).toBe(0)
    expect(records).toMatchObject([
      { kind: 'settled', pendingId: expect.any(String), target: 'memory', op: held, rationale: 'said', score: 0.8 },
    ])
  })

  it.each([
    ['another addition', [propose(add('Uses pnpm.'))], [add('Uses yarn.')]],
    ['another target', [propose(add('Uses pnpm.'), 'user')], [add('Uses pnpm.')]],
    ['a group', [propose(add('Uses pnpm.')), propose(add('Likes tea.'))], [add('Uses pnpm.')]],
    ['a removal of something else', [propose(remove('yarn'))], [remove('Uses npm.')]],
    ['an addition of what was removed', [propose(add('npm'))], [remove('npm')]],
    ['a removal of what was added', [propose(remove('Uses npm.'))], [add('Uses npm.')]],
    ['a replacement of what was removed', [propose(replace('npm', 'Uses pnpm.'))], [remove('Uses npm.')]],
  ] as const)('goes on waiting otherwise: %s', async (_, held, written) => {
    expect(await settled(held as unknown as Group, written)).toEqual({ left: 1, records: [] })
  })

  it('goes on waiting if it is a skill', async () => {
    const { deps, waiting, held } = await home()
    const op = { action: 'archive', name: 'deploy' } as const
    await waiting.hold({ proposals: [{ target: 'skill', op, rationale: '', score: 1 }], base: null, reason: 'ask' })
    await settleHeld([propose(remove('deploy'))], new Disposal(deps))
    expect(await held()).toHaveLength(1)
  })
})

describe('merge groups', () => {
  const of = (op: MemoryOp, target: MemoryTarget = 'memory'): MemoryProposal => ({ target, op, rationale: '', score: 0.9 })
  const replace = (oldText: string, content: string, target?: MemoryTarget) => of({ action: 'replace', oldText, content }, target)
  const remove = (oldText: string, target?: MemoryTarget) => of({ action: 'remove', oldText }, target)
  const TEA = 'Drinks green tea'
  const OSLO = 'Lives in Oslo'
  const MERGED = 'Drinks green tea and lives in Oslo'
  const entries = { memory: [TEA, OSLO, 'Owns a cat'], user: [OSLO] }

  const groups = (...proposals: readonly MemoryProposal[]) =>
    [...findMerges(proposals, entries).groups].map(([of, removes]) => [
      proposals.indexOf(of as MemoryProposal),
      ...[...removes.values()].map(({ op }) => op),
    ])

  describe('proposals that are one merge', () => {
    it('are a replace and the removes of what its text says, in whatever order, each named in full', () => {
      const removal = { action: 'remove', oldText: OSLO }
      expect(groups(replace('tea', MERGED), remove('Oslo'))).toEqual([[0, removal]])
      expect(groups(remove('Oslo'), replace('tea', MERGED))).toEqual([[1, removal]])
      expect(groups(replace('tea', MERGED), remove('Oslo'), remove('Lives'))).toEqual([[0, removal]])
    })

    it('name a second remove of the same entry, which would find its words in the merged one', () => {
      const again = remove('Lives')
      expect([...findMerges([replace('tea', MERGED), remove('Oslo'), again], entries).repeats]).toEqual([again])
      expect([...findMerges([remove('cat'), remove('cat')], entries).repeats]).toEqual([])
    })

    it('leave alone what the text does not say, what another proposal changes, and the other store', () => {
      expect(groups(replace('tea', MERGED), remove('cat'))).toEqual([])
      expect(groups(replace('tea', MERGED), remove('Oslo', 'user'))).toEqual([])
      expect(groups(replace('tea', MERGED), remove('tea'))).toEqual([])
      expect(groups(replace('nothing like it', MERGED), remove('Oslo'))).toEqual([])
      expect(groups(replace('tea', MERGED), remove('nothing like it'))).toEqual([])
      expect(groups(remove('Oslo'))).toEqual([])
    })

    const says = (text: string, entry: string): boolean =>
      findMerges([replace(TEA, text), remove(entry)], { memory: [TEA, entry], user: [] }).groups.size > 0

    it.each([
      ['its clauses in another order', 'Drinks green tea. Lives in Oslo, owns a cat', 'Owns a cat; lives in Oslo.'],
      ['other words in between', 'Lives since May in sunny Oslo and drinks green tea', OSLO],
      ['another end of a clause', 'Lives in Oslo, drinks green tea', 'Drinks green tea?! Lives in Oslo'],
      ['no spaces between the clauses', '住在奥斯陆。喝绿茶', '喝绿茶。住在奥斯陆'],
      ['a number and an address', 'Drinks green tea, docs are at /srv/docs, needs version 1.2', 'Needs version 1.2, docs are at /srv/docs'],
      ['its negations', 'Drinks green tea, wants no tea parties, never milk', 'Never milk, wants no tea parties'],
    ])('take away an entry if the text says it with %s', (_, text, entry) => expect(says(text, entry)).toBe(true))

    it.each([
      ['the order of its words', 'Coffee beats tea. Oslo beats Bergen', 'Tea beats coffee. Oslo beats Bergen'],
      ['a clause', 'Drinks green tea and lives in Oslo', 'Lives in Oslo. Owns a cat'],
      ['the end of a clause, where a dot is part of a word', 'Tea of brand x, uses a plan', 'Uses plan.x'],
      ['its number', 'Drinks green tea, needs version 1 or 2', 'Needs version 1.2'],
      ['its address', 'Drinks green tea, docs are at srv docs', 'Docs are at /srv/docs'],
      ['a negation', 'Wants no tea parties, drinks green tea, lives in Oslo', 'Wants no tea. No tea parties'],
      ['what it says without words', 'Drinks green tea', '!?'],
    ])('leave an entry if the text changes %s', (_, text, entry) => expect(says(text, entry)).toBe(false))
  })

  describe('proposals of the pass over the own words that are one shorter merge', () => {
    const NOTES = ['Wants answers in short bullet points', 'Wants no introduction in answers', 'Owns a cat called Mia']
    const SHORT = 'Wants short bullet answers, no introduction'
    const parts = (...proposals: readonly MemoryProposal[]) =>
      [...findMerges(proposals, { memory: NOTES, user: [] }, { shortens: true }).groups].map(([head, group]) => [
        proposals.indexOf(head as MemoryProposal),
        ...[...group.values()].map(({ op }) => op),
      ])
    const part = { action: 'replace', oldText: NOTES[1], content: SHORT }

    it('are a replace and the removes of what its text says in fewer words, which the gate sees as what they are', () => {
      expect(parts(replace('bullet', SHORT), remove('introduction'))).toEqual([[0, part]])
      expect(parts(remove('introduction'), replace('bullet', SHORT))).toEqual([[1, part]])
    })

    it('are several replaces by the same text', () => {
      expect(parts(replace('bullet', SHORT), replace('introduction', SHORT))).toEqual([[0, part]])
      expect(parts(replace('bullet', SHORT), replace('bullet', SHORT))).toEqual([])
      expect(parts(replace('bullet', SHORT), replace('introduction', 'Wants no introduction'))).toEqual([])
      const [first, second] = [replace('bullet', SHORT), replace('bullet', SHORT, 'user')]
      expect(findMerges([first, second], { memory: NOTES, user: ['Wants bullet lists'] }, { shortens: true }).groups.size).toBe(0)
    })

    it('find an entry by words with blanks around them, and leave additions and skills alone', () => {
      const archived = { target: 'skill', op: { action: 'archive', name: 'deploy' }, rationale: '', score: 1 } as const
      const proposals: readonly ReviewProposal[] = [
        of({ action: 'add', content: OSLO }),
        archived,
        replace(' tea ', MERGED),
        remove(' Oslo\n'),
        of({ action: 'add', content: MERGED }),
      ]
      const { groups: found, repeats } = findMerges(proposals, entries, { shortens: true })
      expect([...found.values()].map((parts) => [...parts.keys()])).toEqual([[proposals[3]]])
      expect(repeats.size).toBe(0)
    })

    it('lose no word where another text of the review says it all', () => {
      const whole = 'Wants no introduction in answers, and tables'
      const proposals = [replace('bullet', SHORT), replace('cat', whole), remove('introduction')]
      expect(parts(...proposals)).toEqual([[1, { action: 'remove', oldText: NOTES[1] }]])
    })

    it('leave alone what is about something else', () => {
      expect(parts(replace('bullet', SHORT), remove('cat'))).toEqual([])
      const left = (text: string, entry: string) =>
        findMerges([replace('bullet', text), remove(entry)], { memory: [...NOTES, entry], user: [] }, { shortens: true }).groups.size
      // At least half of the words.
      expect([left('Wants bullets and tables', 'Tables, charts'), left('Wants bullets and tables', 'Tables, charts, maps')]).toEqual([1, 0])
      expect(left(SHORT, '!?')).toBe(0)
      expect(findMerges([replace('bullet', SHORT), remove('introduction')], { memory: NOTES, user: [] }).groups.size).toBe(0)
    })
  })
})
