/** The stored list of what waits for delivery to a provider, and the process that delivers it. Pure. */
import * as z from 'zod/mini'
import { memoryTargetSchema } from '../memory/memory-op-schema.ts'
import { LIBRARY_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { checkShape } from '../shared/check-shape.ts'
import { projectSchema } from '../storage/project-schema.ts'
import type { ProviderForgetTarget } from './memory-provider.ts'

const listSchema = /* @__PURE__ */ z.lazy(() => {
  /** `id`: the same whenever the item is delivered again. `at`: epoch milliseconds. */
  const item = { id: z.string(), at: z.number() }
  const place = { sessionId: z.string(), project: z.exactOptional(projectSchema) }
  const removed = z.readonly(z.array(z.readonly(z.object({ text: z.string(), archivedId: z.exactOptional(z.string()) }))))
  const items = z.discriminatedUnion('kind', [
    z.object({
      ...item,
      kind: z.literal('turn'),
      ...place,
      user: z.string(),
      assistant: z.string(),
      automated: z.boolean(),
    }),
    z.object({
      ...item,
      kind: z.literal('write'),
      target: memoryTargetSchema,
      project: place.project,
      sessionId: z.exactOptional(z.string()),
      added: z.readonly(z.array(z.string())),
      removed,
      evicted: removed,
    }),
    z.object({
      ...item,
      kind: z.literal('switch'),
      from: z.string(),
      to: z.string(),
      project: place.project,
      reason: z.enum(['compress', 'branch', 'new']),
    }),
    z.object({ ...item, kind: z.literal('end'), ...place }),
  ])
  return z.object({
    version: z.literal(1),
    /** In the order in which they were added. */
    items: z.readonly(z.array(z.readonly(items))),
    /** The process that delivers the list, until then (epoch milliseconds). */
    lease: z.exactOptional(z.readonly(z.object({ holder: z.string(), until: z.number() }))),
  })
})

export type WaitingList = Readonly<z.infer<typeof listSchema>>
export type WaitingItem = WaitingList['items'][number]

type WithoutId<T> = T extends unknown ? Omit<T, 'id' | 'at'> : never
/** What a session hands over. */
export type NewItem = WithoutId<WaitingItem>

export const EMPTY_LIST: WaitingList = { version: 1, items: [] }
const MAX_ITEMS = 1_000
/** UTF-8 bytes of the items as JSON, without indentation. */
const MAX_BYTES = 2_000_000
/** A lease that ends later than this comes from a clock that was set back since. */
export const LONGEST_LEASE_MS = 3_600_000

const sizeOf = (item: WaitingItem): number => new TextEncoder().encode(JSON.stringify(item)).length

/** The newest items that fit, and the number of the oldest ones that do not; a single one beyond the size limit is dropped as well. */
export const fitting = (items: readonly WaitingItem[]): { readonly items: readonly WaitingItem[]; readonly dropped: number } => {
  let from = Math.max(0, items.length - MAX_ITEMS)
  let bytes = 0
  for (const [index, item] of [...items.entries()].reverse()) {
    if (index < from) break
    bytes += sizeOf(item)
    if (bytes > MAX_BYTES) from = index + 1
  }
  return { items: from === 0 ? items : items.slice(from), dropped: from }
}

/** The list as one process delivers it. */
export interface Delivery {
  readonly holder: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly leaseMs: number
}

/** Whether the process may deliver: it has the lease, or no other process has. */
export const mayDeliver = ({ lease }: WaitingList, { holder, at }: Delivery): boolean =>
  !lease || lease.holder === holder || lease.until <= at || lease.until - at > LONGEST_LEASE_MS

/** Takes the list, or renews the lease when half of it has passed. The same list if nothing changes. */
export const takeList = (list: WaitingList, delivery: Delivery): WaitingList => {
  const { holder, at, leaseMs } = delivery
  const { lease, items } = list
  const left = lease?.holder === holder ? lease.until - at : 0
  const isKept = left >= leaseMs / 2 && left <= LONGEST_LEASE_MS
  return isKept || items.length === 0 || !mayDeliver(list, delivery) ? list : { ...list, lease: { holder, until: at + leaseMs } }
}

/** The list without the items of these ids. The same list if it has none of them. */
export const without = (list: WaitingList, done: ReadonlySet<string>): WaitingList => {
  const items = list.items.filter(({ id }) => !done.has(id))
  return items.length === list.items.length ? list : { ...list, items }
}

/** Any process may take the list at once. */
export const leaveList = (list: WaitingList, holder: string): WaitingList => {
  const { lease, ...rest } = list
  return lease?.holder === holder ? rest : list
}

/** Whether the item holds what is to be erased. */
export const isErased = (item: WaitingItem, target: ProviderForgetTarget): boolean => {
  if (target.kind === 'all') return true
  if (target.kind === 'session')
    return item.kind === 'switch' ? [item.from, item.to].includes(target.sessionId) : item.sessionId === target.sessionId
  if (item.kind === 'turn') return target.matches(item.user) || target.matches(item.assistant)
  if (item.kind !== 'write') return false
  return item.added.some(target.matches) || [...item.removed, ...item.evicted].some(({ text }) => target.matches(text))
}

/** `undefined` for a damaged document. */
export const readList = (bytes: Uint8Array): WaitingList | undefined => {
  const data = parseBoundedJson(bytes, LIBRARY_LIMITS)
  const parsed = data.ok ? checkShape(listSchema, data.value) : undefined
  return parsed?.success ? parsed.data : undefined
}
