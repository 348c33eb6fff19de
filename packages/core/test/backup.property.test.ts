import { manualClock } from '@hermes/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../scripts/support/rounds.ts'
import { listBackups } from '../src/curator/backups.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { moveDocuments, readDocument, updateDocument } from '../src/storage/one-document.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { abandonedIn } from './support/abandoned-manifests.ts'
import { createSkillBackup, rollback } from './support/open-curator.ts'
import { unwrap } from './support/skill-library.ts'

/** A small set, so that steps often hit the same ones: skills, skills inside skills, files, the archive, other folders. */
const folder = fc.constantFrom(
  'a',
  'b',
  'A',
  'ops',
  'ops/a',
  'a/ops',
  '.archive/a',
  '.archive/b',
  '.archive/a-20260516100000',
  'a/references',
  'ünï/코드',
)
const file = fc.constantFrom('SKILL.md', 'SKILL.md', 'x.md', 'references/y.bin', 'deep/er/z')
const path = fc.oneof(
  fc.tuple(folder, file).map((parts) => `skills/${parts.join('/')}`),
  fc.constantFrom('skills/.bundled_manifest', 'skills/loose.txt', 'skills/a', 'skills/.archive/.manifests/a.json'),
)
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom('a', 'b', 'ops').map((name) => new TextEncoder().encode(`---\nname: ${name}\ndescription: d\n---\n\nbody\n`)),
)
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), path, bytes }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      path: folder.map((name) => `skills/${name}`),
      to: folder.map((name) => `skills/${name}`),
    }),
  },
)
const changes = fc.array(change, { maxLength: 25 })

/** Steps that a tree cannot represent are refused and change nothing. */
const apply = async (
  storage: StorageBackend,
  list: readonly (typeof change extends fc.Arbitrary<infer T> ? T : never)[],
): Promise<void> => {
  for (const one of list) {
    if (one.kind === 'move') await moveDocuments(storage, one.path, one.to)
    else await updateDocument(storage, one.path, () => (one.kind === 'write' ? one.bytes : undefined))
  }
}

/** Bytes in hexadecimal, by path. */
type Library = ReadonlyMap<string, string>

const snapshot = async (storage: StorageBackend): Promise<Library> => {
  const documents = unwrap(await storage.list('skills'))
  const entries = await Promise.all(
    documents.map(async ({ path: at }) => [at, Buffer.from(unwrap(await readDocument(storage, at))?.bytes ?? []).toString('hex')] as const),
  )
  return new Map(entries)
}

/** Every document is as then, except that a manifest which described nothing is not brought back. */
const expectRestored = (then: Library, before: Library, after: Library): void => {
  const abandoned = abandonedIn([...then.keys()])
  const stillAbandoned = abandonedIn([...after.keys()])
  for (const [at, content] of then) {
    if (!abandoned.has(at)) expect([at, after.get(at)]).toEqual([at, content])
    else if (stillAbandoned.has(at)) expect([at, after.get(at)]).toEqual([at, before.get(at)])
  }
}

/** All texts anywhere, except in the library's own snapshots: none of the earlier ones may be missing. */
const allBytes = async (storage: StorageBackend): Promise<ReadonlySet<string>> => {
  const documents = unwrap(await storage.list('')).filter(
    ({ path: at }) => !/\.(tar\.gz|json)$/.test(at) || !at.startsWith('curator/backups/2'),
  )
  return new Set(
    await Promise.all(
      documents.map(async ({ path: at }) => Buffer.from(unwrap(await readDocument(storage, at))?.bytes ?? []).toString('hex')),
    ),
  )
}

describe('whatever happens to a library after a backup', () => {
  it('a rollback restores the bytes of every file in the backup that means something, and loses no current file', async () => {
    await fc.assert(
      fc.asyncProperty(changes, changes, async (first, second) => {
        const clock = manualClock(Date.UTC(2026, 4, 16, 10))
        const storage = inMemoryBackend()
        await apply(storage, first)
        const then = await snapshot(storage)
        const backup = unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
        clock.advance(1000)
        await apply(storage, second)
        const now = await snapshot(storage)
        clock.advance(1000)

        unwrap(await rollback({ storage, clock, target: backup.id }))

        const after = await snapshot(storage)
        expectRestored(then, now, after)
        // All other documents are in the archive only.
        for (const at of after.keys()) if (!then.has(at)) expect(at).toMatch(/^skills\/\.archive\//)
        // A current document that the rollback does not replace at the same place still exists somewhere, unchanged.
        const kept = await allBytes(storage)
        const abandoned = abandonedIn([...then.keys()])
        for (const [at, content] of now) if (!then.has(at) || abandoned.has(at)) expect([at, kept.has(content)]).toEqual([at, true])

        // Rolls back the rollback: the safety snapshot contains everything that was there before it.
        clock.advance(1000)
        const [safety] = unwrap(await listBackups(storage)).backups
        unwrap(await rollback({ storage, clock, target: safety?.id }))
        const again = await snapshot(storage)
        expectRestored(now, after, again)
      }),
      { numRuns: rounds(150), seed: 20260516 },
    )
  })
})
