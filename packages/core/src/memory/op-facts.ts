/** Says for each operation of a change what was known of the entry it took away, and what is known of the one it wrote. */
import { ok, type Result } from '../shared/result.ts'
import type { OpFacts } from './entry-facts.ts'
import type { Fingerprints } from './fingerprints.ts'
import type { MemoryOp, MemoryTarget } from './memory-op.ts'
import type { PlannedChange } from './plan-change.ts'
import type { ProvenanceFile } from './provenance.ts'
import { lookUpFacts } from './provenance-store.ts'

const texts = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text])

/** In the order of the operations. `provenance`: as it is after the change, which still knows what was taken away. */
export const describeOpFacts = async (
  target: MemoryTarget,
  ops: readonly Result<MemoryOp>[],
  { entries, previous }: PlannedChange,
  provenance: ProvenanceFile | undefined,
  fingerprints?: Fingerprints,
): Promise<readonly OpFacts[]> => {
  const taken = [...previous]
  const touched = ops.flatMap((op) => {
    if (!op.ok) return []
    const content = op.value.action === 'remove' || !entries.includes(op.value.content) ? undefined : op.value.content
    return [{ previous: op.value.action === 'add' ? undefined : taken.shift(), content }]
  })
  const known = await lookUpFacts(
    ok(provenance),
    target,
    touched.flatMap((op) => [...texts(op.previous), ...texts(op.content)]),
    fingerprints,
  )
  const byEntry = new Map(known.map(({ entry, pinned: _, ...dates }) => [entry, dates]))
  return touched.map((op) => {
    const [before, after] = [op.previous, op.content].map((text) => (text === undefined ? undefined : byEntry.get(text)))
    return { ...(before ? { previous: before } : {}), ...(after ? { content: after } : {}) }
  })
}
