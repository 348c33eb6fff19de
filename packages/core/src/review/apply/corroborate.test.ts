import { describe, expect, it } from 'vitest'
import { createJournal } from '../../journal/journal.ts'
import { createPending } from '../../journal/pending.ts'
import type { MemoryOp } from '../../memory/memory-op.ts'
import { MemoryStore } from '../../memory/memory-store.ts'
import type { MemoryProposal } from '../../proposal/review-proposal.ts'
import type { Origin } from '../../shared/origin.ts'
import { ok } from '../../shared/result.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import { corroboratedEntries, refusePinned, saysTheSame, settleHeld, toRaisedRecords } from './corroborate.ts'
import { Disposal, type DisposalOptions } from './disposal.ts'

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
    expect(await refused([remove('tea')])).toBe(false)
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

  it('are none for a removal, or in a store that knows no origins', async () => {
    const { deps } = await home(entries)
    expect(await corroboratedEntries(propose(remove(FEDORA)), new Disposal(deps))).toEqual([])
    const { apply } = deps.store
    expect(await corroboratedEntries(propose(add(FEDORA)), new Disposal({ ...deps, store: { apply } }))).toEqual([])
  })

  it('are recorded with what took their place', async () => {
    const { deps } = await home()
    const records = (op: MemoryOp, entries: readonly string[]) => toRaisedRecords(propose(op), entries, new Disposal(deps))
    expect(records(add('Staging runs on Fedora!'), [FEDORA])).toMatchObject([
      {
        kind: 'settled',
        target: 'memory',
        op: { action: 'replace', oldText: FEDORA, content: 'Staging runs on Fedora!' },
        previous: [FEDORA],
        rationale: 'said',
        score: 0.8,
      },
    ])
    expect([...records(add('x'), []), ...records(remove('x'), [FEDORA])]).toEqual([])
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

  it('is left alone if the queue cannot be read or written, which is reported', async () => {
    const { deps, waiting, held } = await home()
    await waiting.hold({ proposals: [propose(add('x'))], reason: 'ask' })
    const failures: string[] = []
    const broken = { ...waiting, remove: () => Promise.reject(new Error('disk')) }
    const onFailure: DisposalOptions['onFailure'] = (_, operation) => failures.push(operation)
    const settle = (pending: NonNullable<DisposalOptions['pending']>) =>
      settleHeld([propose(add('x'))], new Disposal({ ...deps, pending, onFailure }))
    await settle(broken)
    await settle({ ...broken, list: () => Promise.reject(new Error('disk')) })
    expect(failures).toEqual(['pending', 'read pending'])
    expect(await held()).toHaveLength(1)
  })
})
