/** Numbers and times as people read them. Pure. */

const STEPS = [
  ['y', 31_536_000_000],
  ['mo', 2_592_000_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const

/** `3 d ago`; `never` for 0. */
export const formatAgo = (at: number, now: number): string => {
  if (at === 0) return 'never'
  const passed = now - at
  const [unit, size] = STEPS.find(([, step]) => passed >= step) ?? []
  return unit === undefined || size === undefined ? 'just now' : `${Math.floor(passed / size)} ${unit} ago`
}

export const formatInstant = (at: number): string => (at === 0 ? '' : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`)

export const formatCount = (count: number): string => Math.round(count).toLocaleString('en')

export const formatBytes = (bytes: number): string =>
  bytes < 1_024 ? `${bytes} B` : bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`

export const plural = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`

/** `Tuesday, 24 November 2026`, of `2026-11-24`. */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(day),
  )

/** `09:41`, in UTC. */
export const formatTime = (at: number): string => new Date(at).toISOString().slice(11, 16)
