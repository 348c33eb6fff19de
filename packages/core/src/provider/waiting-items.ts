/** What waits for delivery to a provider: the items, the stored list of them, and its changes. Pure. */
import * as z from 'zod/mini'
import { LIBRARY_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import { checkShape } from '../shared/check-shape.ts'
import { fingerprintOfBytes } from '../shared/fingerprint.ts'
import type { Cut, Plan } from '../storage/storage-backend.ts'
import { PROVIDER_FOLDER } from '../storage/storage-paths.ts'
import type { ProviderForgetTarget } from './memory-provider.ts'

const removedSchema = /* @__PURE__ */ z.lazy(() =>
  z.readonly(z.array(z.readonly(z.object({ text: z.string(), archivedId: z.exactOptional(z.string()) })))),
)

const itemSchema = /* @__PURE__ */ z.lazy(() => {
  /** `id`: the same whenever the item is delivered again. `holder`: the process that delivers it, until its lease has passed (epoch milliseconds). */
  const item = { id: z.string(), holder: z.string(), until: z.number(), at: z.number() }
  return z.readonly(
    z.discriminatedUnion('kind', [
      z.object({
        ...item,
        kind: z.literal('turn'),
        sessionId: z.string(),
        user: z.string(),
        assistant: z.string(),
        automated: z.boolean(),
      }),
      z.object({
        ...item,
        kind: z.literal('write'),
        target: z.enum(['memory', 'user']),
        sessionId: z.exactOptional(z.string()),
        added: z.readonly(z.array(z.string())),
        removed: removedSchema,
        evicted: removedSchema,
      }),
      z.object({
        ...item,
        kind: z.literal('switch'),
        from: z.string(),
        to: z.string(),
        reason: z.enum(['compress', 'branch', 'new']),
      }),
      z.object({ ...item, kind: z.literal('end'), sessionId: z.string() }),
    ]),
  )
})

/** `items`: in the order in which they were added. */
const outboxSchema = /* @__PURE__ */ z.lazy(() => z.object({ version: z.literal(1), items: z.readonly(z.array(itemSchema)) }))

export type WaitingItem = z.infer<typeof itemSchema>
export type WaitingItems = readonly WaitingItem[]

type WithoutHolder<T> = T extends unknown ? Omit<T, 'id' | 'at' | 'holder' | 'until'> : never
/** What a session hands over. */
export type NewItem = WithoutHolder<WaitingItem>

/** Where corrupt lists go. */
const UNREADABLE_FOLDER = `${PROVIDER_FOLDER}/.unreadable/`

/** `provider`: its name. */
export const listPath = (provider: string): string => `${PROVIDER_FOLDER}/${provider}.json`

/** What the cut of `planItems` holds. */
export const listPaths = (provider: string): readonly string[] => [listPath(provider), UNREADABLE_FOLDER]

export const MAX_ITEMS = 1_000
export const MAX_BYTES = 2_000_000
/** A lease that ends later than this comes from a clock that was set back since. */
export const LONGEST_LEASE_MS = 3_600_000

const sizes = new WeakMap<WaitingItem, number>()

/** Bytes of an item in the document, without indentation. */
export const sizeOf = (item: WaitingItem): number => {
  const known = sizes.get(item) ?? new TextEncoder().encode(JSON.stringify(item)).length
  sizes.set(item, known)
  return known
}

/** The newest items that fit, and the number of the oldest ones that do not; a single one beyond the size limit is dropped as well. */
export const fitting = (items: WaitingItems): { readonly items: WaitingItems; readonly dropped: number } => {
  let from = Math.max(0, items.length - MAX_ITEMS)
  let bytes = 0
  for (let index = items.length - 1; index >= from; index--) {
    const item = items[index]
    bytes += item ? sizeOf(item) : 0
    if (bytes > MAX_BYTES) from = index + 1
  }
  return { items: from === 0 ? items : items.slice(from), dropped: from }
}

export interface OutboxChange {
  /** This process. */
  readonly holder: string
  /** Epoch milliseconds. */
  readonly at: number
  /** The end of its lease, in epoch milliseconds. */
  readonly until: number
  /** Its own items get a new lease if theirs ends earlier. */
  readonly neededUntil: number
  readonly added: WaitingItems
  readonly delivered: ReadonlySet<string>
}

const isLost = ({ until }: WaitingItem, at: number): boolean => until <= at || until - at > LONGEST_LEASE_MS

/** Adds, removes what was delivered, and takes the items whose holder has gone, in the order of the list. The same list if nothing changes. */
export const changeItems = (items: WaitingItems, change: OutboxChange): { readonly items: WaitingItems; readonly dropped: number } => {
  const { holder, at, until, neededUntil, added, delivered } = change
  const known = new Set(items.map(({ id }) => id))
  const next = [...items.filter(({ id }) => !delivered.has(id)), ...added.filter(({ id }) => !known.has(id))].map((item) => {
    const isOurs = item.holder === holder ? item.until < neededUntil || isLost(item, at) : isLost(item, at)
    return isOurs ? { ...item, holder, until } : item
  })
  const isSame = next.length === items.length && next.every((item, index) => item === items[index])
  return isSame ? { items, dropped: 0 } : fitting(next)
}

/** The texts of an item that a person may want to erase. */
const textsOf = (item: WaitingItem): readonly string[] => {
  if (item.kind === 'turn') return [item.user, item.assistant]
  if (item.kind === 'write') return [...item.added, ...item.removed.map(({ text }) => text), ...item.evicted.map(({ text }) => text)]
  return []
}

/** Whether the item holds what is to be erased. */
export const isErased = (item: WaitingItem, target: ProviderForgetTarget): boolean => {
  if (target.kind === 'all') return true
  if (target.kind === 'text') return textsOf(item).some(target.matches)
  const { sessionId } = target
  return item.kind === 'switch' ? item.from === sessionId || item.to === sessionId : item.sessionId === sessionId
}

/** `undefined` for a corrupt document. */
const readItems = (bytes: Uint8Array): WaitingItems | undefined => {
  const data = parseBoundedJson(bytes, LIBRARY_LIMITS)
  const parsed = data.ok ? checkShape(outboxSchema, data.value) : undefined
  return parsed?.success ? parsed.data.items : undefined
}

const freeName = (cut: Cut, name: string): string => {
  const used = new Set(cut.list(UNREADABLE_FOLDER).map(({ path }) => path))
  for (let serial = 1; ; serial++) {
    const path = `${UNREADABLE_FOLDER}${name}${serial === 1 ? '' : `-${serial}`}.json`
    if (!used.has(path)) return path
  }
}

/** Returns the same list to change nothing. */
export type Change = (items: WaitingItems) => WaitingItems

export interface Changed {
  readonly stored: WaitingItems
  /** The items that left the list for the memory of this process. */
  readonly taken: WaitingItems
  /** Where a corrupt list is kept. */
  readonly aside?: string
}

/** One update of the stored list, which is removed with its last item. A corrupt list is kept aside. `leaves`: the items that are not stored any more. */
export const planItems = (cut: Cut, provider: string, next: Change, leaves: (item: WaitingItem) => boolean): Plan<Changed> => {
  const path = listPath(provider)
  const document = cut.document(path)
  const items = document ? readItems(document.bytes) : []
  const all = next(items ?? [])
  const taken = all.filter(leaves)
  const stored = taken.length === 0 ? all : all.filter((item) => !leaves(item))
  const value = { stored, taken }
  if (stored === items) return { value }
  const content = stored.length === 0 ? null : new TextEncoder().encode(canonicalJson({ version: 1, items: stored }))
  if (items || !document) return { put: { [path]: content }, value }
  const aside = freeName(cut, `${provider}-${fingerprintOfBytes(document.bytes)}`)
  return { move: [[path, aside]], ...(content ? { put: { [path]: content } } : {}), value: { ...value, aside } }
}
