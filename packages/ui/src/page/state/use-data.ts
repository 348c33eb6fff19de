/** Reads from the API, again with every change in the home; the former data stays until the new is there. */
import { useEffect, useState } from 'preact/hooks'
import { address, get, type Params } from './api.ts'
import { version } from './live.ts'

export interface Loaded<T> {
  readonly data: T | undefined
  readonly error: string | undefined
  /** Grows with every reading: of two, the later one began later. */
  readonly reading: number
}

let readings = 0

/** The number of the reading that began last, of any data. */
export const lastReading = (): number => readings

export const useData = <T>(path: string, params: Params = {}): Loaded<T> => {
  const [loaded, setLoaded] = useState<Loaded<T>>({ data: undefined, error: undefined, reading: 0 })
  const wanted = address(path, params)
  const current = version.value
  useEffect(() => {
    const stop = new AbortController()
    readings += 1
    const reading = readings
    get<T>(path, params, stop.signal).then(
      (data) => setLoaded({ data, error: undefined, reading }),
      (cause: unknown) => {
        if (!stop.signal.aborted) setLoaded((before) => ({ ...before, error: cause instanceof Error ? cause.message : String(cause) }))
      },
    )
    return () => stop.abort()
  }, [wanted, current])
  return loaded
}
