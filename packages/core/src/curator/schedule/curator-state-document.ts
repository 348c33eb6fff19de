/**
 * Converts the curator's state between the stored document, with the keys of Python Hermes, and `CuratorState` (reference skills-curator
 * 11). Pure.
 */
import type { StoredDocument } from '../../storage/storage-backend.ts'
import { NumberText, parsePythonJson, toPythonJson } from '../../usage/python-json.ts'
import { formatPythonTime, parsePythonTime } from '../../usage/python-time.ts'

export interface CuratorState {
  /** Epoch milliseconds; `undefined`: never or unreadable. */
  readonly lastRunAt: number | undefined
  readonly lastRunDurationSeconds: number | undefined
  /** One line about the last run. */
  readonly lastRunSummary: string | undefined
  /** The folder of its report, relative to the home. */
  readonly lastReportPath: string | undefined
  readonly paused: boolean
  readonly runCount: number
  /** Epoch milliseconds: from then on a run that did not end well may be retried. */
  readonly retryAt: number | undefined
}

export type StoredState = Readonly<Record<string, unknown>>

// Python Hermes preserves unknown keys that begin with an underscore.
const KEYS = {
  lastRunAt: 'last_run_at',
  lastRunDurationSeconds: 'last_run_duration_seconds',
  lastRunSummary: 'last_run_summary',
  lastReportPath: 'last_report_path',
  paused: 'paused',
  runCount: 'run_count',
  retryAt: '_retry_at',
} as const

const numberOf = (value: unknown): number | undefined => {
  const number = value instanceof NumberText ? Number(value.text) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

export const toCuratorState = (stored: StoredState): CuratorState => ({
  lastRunAt: parsePythonTime(stored[KEYS.lastRunAt]),
  lastRunDurationSeconds: numberOf(stored[KEYS.lastRunDurationSeconds]),
  lastRunSummary: textOf(stored[KEYS.lastRunSummary]),
  lastReportPath: textOf(stored[KEYS.lastReportPath]),
  // Any truthy value counts as paused.
  paused: Boolean(stored[KEYS.paused]),
  runCount: Math.max(0, Math.trunc(numberOf(stored[KEYS.runCount]) ?? 0)),
  retryAt: parsePythonTime(stored[KEYS.retryAt]),
})

const WRITTEN: { readonly [Name in keyof CuratorState]: (value: NonNullable<CuratorState[Name]>) => unknown } = {
  lastRunAt: formatPythonTime,
  lastRunDurationSeconds: (value) => value,
  lastRunSummary: (value) => value,
  lastReportPath: (value) => value,
  paused: (value) => value,
  runCount: (value) => value,
  retryAt: formatPythonTime,
}

/** Writes only what changes; unknown keys are kept. */
const toStored = (before: StoredState, next: CuratorState): StoredState => {
  const was = toCuratorState(before)
  const stored: Record<string, unknown> = { ...before }
  const set = <Name extends keyof CuratorState>(name: Name): void => {
    const value = next[name]
    if (KEYS[name] in before && was[name] === value) return
    if (value === undefined || value === null) {
      // Python Hermes always writes its own keys, with null for none.
      if (name === 'retryAt') delete stored[KEYS[name]]
      else stored[KEYS[name]] = null
    } else stored[KEYS[name]] = WRITTEN[name](value)
  }
  set('lastRunAt')
  set('lastRunDurationSeconds')
  set('lastRunSummary')
  set('lastReportPath')
  set('paused')
  set('runCount')
  set('retryAt')
  return stored
}

/** `undefined` for anything but a JSON object. */
export const decodeCuratorState = (document: StoredDocument | undefined): StoredState | undefined => {
  if (!document) return {}
  try {
    const data = parsePythonJson(new TextDecoder('utf-8', { fatal: true }).decode(document.bytes))
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.fromEntries(Object.entries(data)) : undefined
  } catch {
    return undefined
  }
}

export const encodeCuratorState = (before: StoredState, next: CuratorState): Uint8Array =>
  new TextEncoder().encode(toPythonJson(toStored(before, next)))
