/** The open homes of a process, one handle for each owner. Idle homes are dropped when too many are open or when they have not been used for a while. */
import type { Clock } from '../shared/clock.ts'

/** A handle that can be dropped, because a new one continues from the storage. */
export interface Evictable {
  /** True if nothing is unsaved and no work is running. */
  readonly idle: boolean
}

export interface HomeCacheOptions<T> {
  readonly clock: Clock
  readonly maxOpen: number
  readonly maxIdleMs: number
  /** Called with a home that was dropped because it is idle. */
  readonly onDropped?: (value: T) => void
}

interface Entry<T> {
  readonly value: T
  usedAt: number
}

/** Homes that are checked for eviction in one call, so that the time of a call does not depend on the number of busy homes. */
const LOOKED_AT = 8

export const homeCache = <T extends Evictable>({ clock, maxOpen, maxIdleMs, onDropped = () => {} }: HomeCacheOptions<T>) => {
  // A Map keeps insertion order, so its first key is the least recently used one.
  const open = new Map<string, Entry<T>>()

  const put = (key: string, value: T): T => {
    open.delete(key)
    open.set(key, { value, usedAt: clock() })
    return value
  }

  const evict = () => {
    const before = clock() - maxIdleMs
    let looked = 0
    for (const [key, { value, usedAt }] of open) {
      if ((open.size <= maxOpen && usedAt >= before) || ++looked > LOOKED_AT) return
      // A busy home is checked again after the others.
      if (!value.idle) put(key, value)
      else if (open.delete(key)) onDropped(value)
    }
  }

  return {
    get(key: string, create: () => T): T {
      const value = put(key, open.get(key)?.value ?? create())
      evict()
      return value
    },
    /** The open handle. Does not count as a use. */
    peek: (key: string): T | undefined => open.get(key)?.value,
    drop(key: string): void {
      open.delete(key)
    },
    get values(): readonly T[] {
      return Array.from(open.values(), ({ value }) => value)
    },
  }
}
