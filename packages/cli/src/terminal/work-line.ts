/** One line about work in progress: `Looking at the skills … 3,465 of 10,000 files, 8,200/s, 1 s left`. Pure. */
import { formatCount } from './gauge.ts'

export interface Work {
  /** What is being done; `''` if nothing was said. */
  readonly label: string
  /** What is counted, such as `files`; `''` for the label alone. */
  readonly unit: string
  readonly done: number
  /** `undefined` if it is not known how much there is. */
  readonly total: number | undefined
  /** Milliseconds since the first was counted. */
  readonly countedMs: number
  /** Milliseconds since the label was set. */
  readonly labelMs: number
}

/** From here on a rate says something, and a wait deserves its seconds. Milliseconds. */
const SETTLED_MS = 1_000

/** `8 s`, `2 min`. */
const formatWait = (ms: number): string => (ms < 60_000 ? `${Math.max(1, Math.round(ms / 1_000))} s` : `${Math.round(ms / 60_000)} min`)

const formatRate = (perSecond: number): string => `${formatCount(perSecond < 10 ? Number(perSecond.toFixed(1)) : Math.round(perSecond))}/s`

export const workLine = ({ label, unit, done, total, countedMs, labelMs }: Work): string => {
  if (done === 0 && total === undefined)
    return labelMs < SETTLED_MS ? label : [label, formatWait(labelMs)].filter((part) => part !== '').join(' ')
  const count = [formatCount(done), ...(total === undefined ? [] : ['of', formatCount(total)]), ...(unit === '' ? [] : [unit])].join(' ')
  const perSecond = countedMs < SETTLED_MS || done === 0 ? undefined : (done * 1_000) / countedMs
  const parts = [
    count,
    ...(perSecond === undefined ? [] : [formatRate(perSecond)]),
    ...(perSecond === undefined || total === undefined || total <= done
      ? []
      : [`${formatWait(((total - done) * 1_000) / perSecond)} left`]),
  ]
  return [label, parts.join(', ')].filter((part) => part !== '').join(' ')
}
