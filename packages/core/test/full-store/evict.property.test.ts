/** A full store that keeps learning: which entries may be evicted, which may not, and that nothing is lost. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import type { MemorySource } from '../../src/memory/facts.ts'
import { readArchive } from '../../src/memory/memory-archive.ts'
import type { MemoryOp } from '../../src/memory/memory-op.ts'
import { MemoryStore } from '../../src/memory/memory-store.ts'
import { ORIGINS } from '../../src/shared/origin.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { unwrap } from '../support/skill-library.ts'

const LIMIT = 60
const MEMORY = 'memories/MEMORY.md'

const open = (storage: StorageBackend, clock: () => number) =>
  new MemoryStore({ storage, memoryCharLimit: LIMIT, whenFull: 'evict', clock })

const text = fc
  .tuple(fc.constantFrom('ab', 'cd', 'ef', 'gh', 'ij', 'kl', 'mn', 'op'), fc.constantFrom(1, 2, 4, 6, 9, 12, 31))
  .map(([letters, times]) => letters.repeat(times))
const op = fc.oneof<fc.Arbitrary<MemoryOp>[]>(
  ...[1, 2, 3, 4, 5].map(() => fc.record({ action: fc.constant('add' as const), content: text })),
  fc.record({ action: fc.constant('replace' as const), oldText: text, content: text }),
  fc.record({ action: fc.constant('remove' as const), oldText: text }),
)
const source = fc.constantFrom<(MemorySource | undefined)[]>(
  { origin: 'user' },
  { origin: 'user', raises: true },
  { origin: 'assistant' },
  { origin: 'assistant', raises: true },
  { origin: 'tool' },
  { origin: 'host' },
  { origin: 'tool' },
  undefined,
)
const step = fc.oneof(
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('write' as const), ops: fc.array(op, { minLength: 1, maxLength: 2 }), source }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pin' as const), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hand' as const), text }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const appendByHand = async (storage: StorageBackend, line: string) => {
  unwrap(
    await updateDocument(storage, MEMORY, (current) => {
      const before = current ? new TextDecoder().decode(current.bytes) : ''
      return new TextEncoder().encode(before === '' ? line : `${before}\n§\n${line}`)
    }),
  )
}

const wholeArchive = async (storage: StorageBackend): Promise<readonly string[]> => {
  const document = unwrap(await readDocument(storage, 'memories/.archive.jsonl'))
  return [...readArchive(document?.bytes).values()].map(({ text: archived }) => archived)
}

const lostOf = async (storage: StorageBackend, acknowledged: ReadonlySet<string>): Promise<readonly string[]> => {
  const standing = unwrap(await new MemoryStore({ storage }).current('memory'))
  const kept = new Set([...standing, ...(await wholeArchive(storage))])
  return [...acknowledged].filter((each) => !kept.has(each))
}

const trust = (origin: MemorySource['origin']) => ORIGINS.indexOf(origin)

test('nothing goes that is pinned, written by hand or trusted more; what goes is in the archive; what is written fits', async () => {
  let evictions = 0
  const run = fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps: readonly Step[]) => {
    const storage = inMemoryBackend()
    let now = 0
    const store = open(storage, () => ++now)
    const acknowledged = new Set<string>()
    for (const each of steps) {
      if (each.kind === 'hand') {
        await appendByHand(storage, each.text)
        acknowledged.add(each.text)
        continue
      }
      if (each.kind === 'pin') {
        await store.pin('memory', each.text)
        continue
      }
      store.newTurn()
      const before = new Map(unwrap(await store.facts('memory')).map((facts) => [facts.entry, facts]))
      const [only, ...more] = each.ops
      const written = await store.apply('memory', only && more.length === 0 ? only : each.ops, each.source)
      const after = new Set(unwrap(await store.current('memory')))
      if (!written.ok) {
        expect([...after]).toEqual([...before.keys()])
        continue
      }
      const { evicted = [], previous, usedChars } = written.value
      evictions += evicted.length
      if (evicted.length > 0) expect(usedChars).toBeLessThanOrEqual(LIMIT)
      for (const { text: gone, origin } of evicted) {
        expect(before.get(gone)).toMatchObject({ origin })
        expect(before.get(gone)).not.toHaveProperty('pinned')
        expect(trust(origin)).toBeGreaterThanOrEqual(trust(each.source?.origin ?? 'host'))
        expect(each.ops.some((named) => named.action !== 'remove' && named.content === gone)).toBe(false)
      }
      const accounted = new Set([...previous, ...evicted.map(({ text: gone }) => gone)])
      expect([...before.keys()].filter((entry) => !after.has(entry) && !accounted.has(entry))).toEqual([])
      for (const entry of after) acknowledged.add(entry)
    }
    expect(await lostOf(storage, acknowledged)).toEqual([])
  })
  await fc.assert(run, { seed: 20_261_122, numRuns: rounds(150) })
  expect(evictions).toBeGreaterThan(rounds(150))
})
