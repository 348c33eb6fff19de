import { describe, expect, it } from 'vitest'
import { textAt, unwrap, write } from '../../test/support/skill-library.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument } from '../storage/one-document.ts'
import { parseFacts } from './facts.ts'
import { decodeInSlices } from './large-document.ts'
import { decodeMemoryDocument } from './memory-document.ts'
import { type KnownOrigin, repairOrigins } from './repair-origins.ts'

const AT = Date.UTC(2026, 4, 1, 9, 30, 5)
const DAMAGED = '{"target"'
const said = { origin: 'user', firstSeenAt: 3, lastConfirmedAt: 7 } as const

const KNOWN: Readonly<Record<string, KnownOrigin>> = {
  'memory Said': { dates: said },
  'memory Pinned': { dates: { origin: 'external', firstSeenAt: 0, lastConfirmedAt: 0 }, pinned: true },
  'memory By hand': { dates: { origin: 'external', firstSeenAt: 0, lastConfirmedAt: 0 } },
  'project Said': { dates: said },
}

const repair = async (documents: Readonly<Record<string, string>>, project?: string) => {
  const storage = inMemoryBackend()
  await write(storage, documents)
  const known = (target: string, entry: string) => KNOWN[`${target} ${entry}`] ?? {}
  const done = await repairOrigins({ storage, clock: () => AT, project, known })
  const factsAt = async (path: string) => {
    const { facts } = unwrap(parseFacts(unwrap(await readDocument(storage, path))?.bytes, path))
    return { memory: [...facts.memory], user: [...facts.user], project: [...(facts.project ?? [])] }
  }
  return { done, storage, factsAt }
}

describe('facts that cannot be read', () => {
  it('are kept as a copy, and written anew from what is known of each entry', async () => {
    const files = { 'memories/MEMORY.md': 'Said\n§\nPinned\n§\nBy hand\n§\nUnknown', 'memories/USER.md': 'Unknown' }
    const copy = 'memories/.facts.jsonl.damaged-2026-05-01T09-30-05'
    const { done, storage, factsAt } = await repair({ ...files, 'memories/.facts.jsonl': DAMAGED, [copy]: 'earlier' })
    expect(done).toEqual({ ok: true, value: { copy: `${copy}-2`, known: 3, unknown: 2 } })
    expect([await textAt(storage, copy), await textAt(storage, `${copy}-2`)]).toEqual(['earlier', DAMAGED])
    const unknown = { origin: 'tool', firstSeenAt: AT, lastConfirmedAt: AT }
    expect(await factsAt('memories/.facts.jsonl')).toMatchObject({
      memory: [
        ['Said', said],
        ['Pinned', { origin: 'external', firstSeenAt: 0, lastConfirmedAt: 0, pinned: true }],
        ['Unknown', unknown],
      ],
      user: [['Unknown', unknown]],
    })
  })

  it('are repaired for a project alone in its own folder', async () => {
    const folder = 'projects/web/memories'
    const { done, factsAt } = await repair({ [`${folder}/MEMORY.md`]: 'Said', [`${folder}/.facts.jsonl`]: DAMAGED }, 'web')
    expect(done).toMatchObject({ ok: true, value: { copy: `${folder}/.facts.jsonl.damaged-2026-05-01T09-30-05`, known: 1, unknown: 0 } })
    expect(await factsAt(`${folder}/.facts.jsonl`)).toMatchObject({ project: [['Said', said]] })
  })

  it('stay if an entry would lose its record, or if they can be read', async () => {
    const { storage } = await repair({})
    await storage.update(['memories/'], () => ({ put: { 'memories/MEMORY.md': new Uint8Array([0xff]) }, value: 0 }))
    await write(storage, { 'memories/.facts.jsonl': DAMAGED })
    const options = { storage, clock: () => AT, known: () => ({}) }
    const refused = await repairOrigins(options)
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('The origins were not repaired: ') } })
    expect(await textAt(storage, 'memories/.facts.jsonl')).toBe(DAMAGED)
    await write(storage, { 'memories/.facts.jsonl': '' })
    expect(await repairOrigins(options)).toEqual({ ok: true, value: undefined })
    expect((await repair({})).done).toEqual({ ok: true, value: undefined })
  })
})

it.each([
  'a\n§\nb\n§\nc',
  ' a\n§\nb\n§\nc ',
  'a\n§\n b\n§\nc',
  'a \n§\nb',
  'a\n§\n b',
  'a\n§\n\n§\nb',
  ' a ',
  '',
  'a\r\n§\r\nb',
  'a\n§\na',
  '\n§\na',
])('a file that is read in slices has the same entries: %j', async (text) => {
  const bytes = new TextEncoder().encode(text)
  expect(await decodeInSlices('memories/MEMORY.md', bytes)).toEqual(decodeMemoryDocument('memories/MEMORY.md', bytes))
})
