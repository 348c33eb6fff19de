/** Changes of what waits for delivery: added and delivered items, those of processes that have gone, the bounds, and erased ones. Pure. */
import type { ProviderForgetTarget } from './memory-provider.ts'
import { belongsTo, type OutboxDocument, sizeOf, textsOf, type WaitingItem } from './provider-items.ts'

export const MAX_ITEMS = 1_000
export const MAX_BYTES = 2_000_000
/** Milliseconds after its last sign of life at which another process delivers the items of a process. */
export const ALIVE_MS = 60_000
/** The end of a lifetime later than this comes from a clock that was set back since. */
export const LONGEST_LIFE_MS = 3_600_000

export interface OutboxChange {
  /** This process. */
  readonly self: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Until when this process counts as alive. */
  readonly aliveUntil: number
  readonly added: readonly WaitingItem[]
  readonly delivered: ReadonlySet<string>
}

export interface PlannedOutbox {
  readonly document: OutboxDocument
  /** Number of the oldest items that did not fit. */
  readonly dropped: number
}

/** The newest items that fit; a single one beyond the size limit is dropped as well. */
export const fitting = (items: readonly WaitingItem[]): { readonly items: readonly WaitingItem[]; readonly dropped: number } => {
  let from = Math.max(0, items.length - MAX_ITEMS)
  let bytes = 0
  for (let index = items.length - 1; index >= from; index--) {
    const item = items[index]
    bytes += item ? sizeOf(item) : 0
    if (bytes > MAX_BYTES) from = index + 1
  }
  return { items: from === 0 ? items : items.slice(from), dropped: from }
}

const isGone = (until: number | undefined, at: number): boolean => until === undefined || until <= at || until - at > LONGEST_LIFE_MS

/** Whether the document holds items of processes that have gone. */
export const hasAbandoned = ({ items, processes }: OutboxDocument, { self, at }: Pick<OutboxChange, 'self' | 'at'>): boolean =>
  items.some(({ by }) => by !== self && isGone(processes[by], at))

/** Processes without items are not kept. */
const withItems = (alive: OutboxDocument['processes'], items: OutboxDocument['items']): OutboxDocument => {
  const owners = new Set(items.map(({ by }) => by))
  return { version: 1, processes: Object.fromEntries(Object.entries(alive).filter(([process]) => owners.has(process))), items }
}

/** Takes over the items of processes that have gone, in the order in which they were stored. */
export const changeOutbox = (document: OutboxDocument, change: OutboxChange): PlannedOutbox => {
  const { self, at, aliveUntil, added, delivered } = change
  const here = new Set(document.items.map(({ id }) => id))
  const kept = document.items
    .filter(({ id }) => !delivered.has(id))
    .map((item) => (item.by !== self && isGone(document.processes[item.by], at) ? { ...item, by: self } : item))
  const { items, dropped } = fitting([...kept, ...added.filter(({ id }) => !here.has(id))])
  return { document: withItems({ ...document.processes, [self]: aliveUntil }, items), dropped }
}

/** Divides what processes have left that are gone from the rest. */
export const takeAbandoned = (
  document: OutboxDocument,
  at: number,
): { readonly document: OutboxDocument; readonly taken: readonly WaitingItem[] } => {
  const taken = document.items.filter(({ by }) => isGone(document.processes[by], at))
  const items = document.items.filter((item) => !taken.includes(item))
  return { document: taken.length === 0 ? document : withItems(document.processes, items), taken }
}

/** Whether the item holds what is to be erased. */
export const isErased = (item: WaitingItem, target: ProviderForgetTarget): boolean => {
  if (target.kind === 'all') return true
  return target.kind === 'session' ? belongsTo(item, target.sessionId) : textsOf(item).some(target.matches)
}

/** Also those that wait in other processes, which notice it before they deliver. */
export const withoutErased = (document: OutboxDocument, target: ProviderForgetTarget): PlannedOutbox => {
  const items = document.items.filter((item) => !isErased(item, target))
  return { document: withItems(document.processes, items), dropped: document.items.length - items.length }
}
