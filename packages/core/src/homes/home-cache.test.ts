import { describe, expect, it } from 'vitest'
import { homeCache } from './home-cache.ts'

const open = (maxOpen: number, maxIdleMs = 1_000) => {
  let now = 0
  let made = 0
  const busy = new Set<string>()
  const dropped: string[] = []
  const cache = homeCache<{ readonly key: string; readonly idle: boolean }>({
    clock: () => now,
    maxOpen,
    maxIdleMs,
    onDropped: ({ key }) => dropped.push(key),
  })
  const get = (key: string) =>
    cache.get(key, () => {
      made++
      return {
        key,
        get idle() {
          return !busy.has(key)
        },
      }
    })
  return { cache, get, busy, dropped, wait: (ms: number) => (now += ms), made: () => made }
}

const keysOf = ({ values }: { readonly values: readonly { readonly key: string }[] }) => values.map(({ key }) => key)

describe('homeCache', () => {
  it('drops the one asked for longest ago if there are too many', () => {
    const { cache, get, dropped } = open(2)
    get('a')
    get('b')
    get('a')
    get('c')
    expect(keysOf(cache)).toEqual(['a', 'c'])
    expect(dropped).toEqual(['b'])
  })

  it('drops those that were not requested in time', () => {
    const { cache, get, wait } = open(10)
    get('a')
    wait(600)
    get('b')
    wait(600)
    get('c')
    expect(keysOf(cache)).toEqual(['b', 'c'])
  })

  it('keeps what is busy, however many there are', () => {
    const { cache, get, busy, made } = open(2)
    for (const key of ['a', 'b', 'c', 'd']) busy.add(key)
    for (const key of ['a', 'b', 'c', 'd']) get(key)
    expect(keysOf(cache)).toHaveLength(4)
    get('a')
    expect(made()).toBe(4)
    busy.clear()
    get('e')
    expect(keysOf(cache)).toHaveLength(2)
  })

  it('does not grow with the number of owners', () => {
    const { cache, get } = open(100)
    for (let each = 0; each < 10_000; each++) get(`owner-${each}`)
    expect(cache.values).toHaveLength(100)
  })
})
