import { expect, it } from 'vitest'
import { ok } from '../shared/result.ts'
import { sha256OfText } from '../shared/sha256.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import { PROVENANCE_PATH } from '../storage/storage-paths.ts'
import { findArchivedEntry, listArchivedEntries } from './archive/memory-archive.ts'
import { planChange } from './plan-change.ts'
import { EMPTY_PROVENANCE } from './provenance.ts'
import { recordChange } from './record-change.ts'

const OLD = 'Lives in Bern.'
const before = [OLD, 'Likes tea.']
const source = { origin: 'user', sessionId: 'now' } as const

const planned = (() => {
  const ops = [ok({ action: 'remove', oldText: OLD } as const)]
  const plan = planChange(before, { target: 'memory', charLimit: 1_000, batch: false, ops })
  if (!plan.ok) throw plan.error
  return plan.value
})()
const change = { target: 'memory', before, planned, source, lost: [{ text: OLD }] } as const

const archivedIn = async (storage: ReturnType<typeof inMemoryBackend>) => {
  const listed = await listArchivedEntries(storage, 'memory', [], () => undefined)
  return listed.ok ? listed.value : []
}

it('archives what is recorded of an entry, also if that was learned after the provenance was read', async () => {
  const storage = inMemoryBackend()
  const record = { origin: 'user', firstSeenAt: 5, lastConfirmedAt: 7 }
  const file = { ...EMPTY_PROVENANCE, memory: { [await sha256OfText(OLD)]: record } }
  await updateDocument(storage, PROVENANCE_PATH, () => new TextEncoder().encode(JSON.stringify(file)))
  const recorded = await recordChange(storage, () => 9, { ...change, known: ok(undefined) })
  expect(recorded).toMatchObject({ ok: true })
  const [archived] = await archivedIn(storage)
  expect(archived).toMatchObject({ text: OLD, ...record, forgottenAt: 9, sessionId: 'now' })
  expect(await findArchivedEntry(storage, archived?.id ?? '')).toEqual(ok(archived))
})

it('archives nothing if the provenance cannot be read', async () => {
  const storage = inMemoryBackend()
  await updateDocument(storage, PROVENANCE_PATH, () => new TextEncoder().encode('no JSON'))
  expect(await recordChange(storage, () => 9, change)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  expect(await archivedIn(storage)).toEqual([])
})
