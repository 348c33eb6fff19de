/** The open homes of a process: the same owner is the same handle, and idle ones are dropped when there are many or nobody asks for them. */
import type { Clock } from '../shared/clock.ts'

/** A handle that can be dropped: a new one goes on from the storage. */
export interface Evictable {
  /** Nothing is unsaved and nothing is under way. */
  readonly idle: boolean
}

export interface HomeCacheOptions {
  readonly clock: Clock
  readonly maxOpen: number
  readonly maxIdleMs: number
}

interface Entry<T> {
  readonly value: T
  usedAt: number
}

/** Homes looked at in one call, so that a call takes the same time however many are busy. */
const LOOKED_AT = 8

export const homeCache = <T extends Evictable>({ clock, maxOpen, maxIdleMs }: HomeCacheOptions) => {
  // A Map keeps the order of insertion, so the first key is the one used longest ago.
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
      if (value.idle) open.delete(key)
      // What is busy is asked again after the others.
      else put(key, value)
    }
  }

  return {
    get(key: string, create: () => T): T {
      const value = put(key, open.get(key)?.value ?? create())
      evict()
      return value
    },
    /** The open handle, without a use of it. */
    peek: (key: string): T | undefined => open.get(key)?.value,
    drop(key: string): void {
      open.delete(key)
    },
    get values(): readonly T[] {
      return Array.from(open.values(), ({ value }) => value)
    },
  }
}
