/**
 * The state of the curator, `skills/.curator_state`: time of the last run and pause, with the keys of Python Hermes, which shares it (reference skills-curator 11).
 * A corrupt one is set aside by the update that writes the next.
 */
import { fingerprintOfBytes } from '../shared/fingerprint.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut, StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { NumberText, parsePythonJson, toPythonJson } from '../usage/python-json.ts'
import { formatPythonTime, parsePythonTime } from '../usage/python-time.ts'
import type { MergingRun } from './merging-run.ts'

export const CURATOR_STATE_PATH = 'skills/.curator_state'

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
  /** The run that asks a model about merges at present. */
  readonly merging: MergingRun | undefined
}

type StoredState = Readonly<Record<string, unknown>>

// Python Hermes preserves unknown keys that begin with an underscore.
const KEYS = {
  lastRunAt: 'last_run_at',
  lastRunDurationSeconds: 'last_run_duration_seconds',
  lastRunSummary: 'last_run_summary',
  lastReportPath: 'last_report_path',
  paused: 'paused',
  runCount: 'run_count',
  retryAt: '_retry_at',
  merging: '_merging',
} as const

const numberOf = (value: unknown): number | undefined => {
  const number = value instanceof NumberText ? Number(value.text) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const mergingOf = (value: unknown): MergingRun | undefined => {
  const [until, process, pid, host] = typeof value === 'string' ? value.split(' ') : []
  const at = parsePythonTime(until)
  if (at === undefined || process === undefined) return undefined
  // A number means nothing without its machine.
  return { until: at, process, ...(host === undefined ? {} : { pid: Number(pid), host }) }
}

const toCuratorState = (stored: StoredState): CuratorState => ({
  lastRunAt: parsePythonTime(stored[KEYS.lastRunAt]),
  lastRunDurationSeconds: numberOf(stored[KEYS.lastRunDurationSeconds]),
  lastRunSummary: textOf(stored[KEYS.lastRunSummary]),
  lastReportPath: textOf(stored[KEYS.lastReportPath]),
  // Any truthy value counts as paused.
  paused: Boolean(stored[KEYS.paused]),
  runCount: Math.max(0, Math.trunc(numberOf(stored[KEYS.runCount]) ?? 0)),
  retryAt: parsePythonTime(stored[KEYS.retryAt]),
  merging: mergingOf(stored[KEYS.merging]),
})

const WRITTEN: { readonly [Name in keyof CuratorState]: (value: NonNullable<CuratorState[Name]>) => unknown } = {
  lastRunAt: formatPythonTime,
  lastRunDurationSeconds: (value) => value,
  lastRunSummary: (value) => value,
  lastReportPath: (value) => value,
  paused: (value) => value,
  runCount: (value) => value,
  retryAt: formatPythonTime,
  merging: ({ until, process, pid, host }) =>
    [formatPythonTime(until), process, ...(pid === undefined || host === undefined ? [] : [pid, host])].join(' '),
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
      if (name === 'retryAt' || name === 'merging') delete stored[KEYS[name]]
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
  set('merging')
  return stored
}

/** `undefined` for anything but a JSON object. */
const decodeCuratorState = (document: StoredDocument | undefined): StoredState | undefined => {
  if (!document) return {}
  try {
    const data = parsePythonJson(new TextDecoder('utf-8', { fatal: true }).decode(document.bytes))
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.fromEntries(Object.entries(data)) : undefined
  } catch {
    return undefined
  }
}

const encodeCuratorState = (before: StoredState, next: CuratorState): Uint8Array =>
  new TextEncoder().encode(toPythonJson(toStored(before, next)))

export interface InspectedState {
  readonly state: CuratorState
  /** The document is corrupt: it counts as new, so that it starts no run. */
  readonly problem: HermesError | undefined
}

const corrupt = (): HermesError =>
  new HermesError(
    'unreadable',
    `'${CURATOR_STATE_PATH}' is not a JSON object, so a pause in it has no effect. The next run or pause keeps it aside and starts afresh.`,
    {
      details: { path: CURATOR_STATE_PATH },
    },
  )

const stateIn = (cut: Cut): InspectedState => {
  const document = cut.document(CURATOR_STATE_PATH)
  const stored = decodeCuratorState(document)
  return { state: toCuratorState(stored ?? {}), problem: document && !stored ? corrupt() : undefined }
}

export const readCuratorState = (storage: StorageBackend): Promise<Result<InspectedState>> =>
  orError(async () => {
    const cut = await storage.read([CURATOR_STATE_PATH])
    return cut.ok ? ok(stateIn(cut.value)) : cut
  })

export interface CuratorStateChanged {
  readonly state: CuratorState
  /** `false` if the state was already so. */
  readonly changed: boolean
  /** A corrupt state was set aside; a pause in it is lost. */
  readonly problem: HermesError | undefined
}

/** One copy for each content, so that no earlier copy is overwritten. */
const keptAside = ({ bytes }: StoredDocument): string => `${CURATOR_STATE_PATH}.corrupt-${fingerprintOfBytes(bytes)}`

/** `change` returns the new fields, or `undefined` for no change. For a plan that names the state, and `skills/` for the copy of a corrupt one. */
export const planState = (
  cut: Cut,
  change: (current: CuratorState) => Partial<CuratorState> | undefined,
): CuratorStateChanged & { readonly put: Readonly<Record<string, Uint8Array>> } => {
  const document = cut.document(CURATOR_STATE_PATH)
  const stored = decodeCuratorState(document)
  const current = toCuratorState(stored ?? {})
  const next = change(current)
  const state = { ...current, ...next }
  if (next === undefined) return { state, changed: false, problem: undefined, put: {} }
  const put = { [CURATOR_STATE_PATH]: encodeCuratorState(stored ?? {}, state) }
  if (!document || stored) return { state, changed: true, problem: undefined, put }
  const kept = keptAside(document)
  const message = `'${CURATOR_STATE_PATH}' was not a JSON object and is kept as '${kept}'. The curator starts afresh: pause it again if it was paused.`
  const problem = new HermesError('unreadable', message, { details: { path: CURATOR_STATE_PATH, keptAside: [kept] } })
  return { state, changed: true, problem, put: { ...put, [kept]: document.bytes } }
}

/** One update. `beside`: what it does with the change, such as a line of the journal. */
export const updateCuratorState = (
  storage: StorageBackend,
  change: (current: CuratorState) => Partial<CuratorState> | undefined,
  beside: { readonly paths: readonly string[]; readonly append: (changed: CuratorStateChanged) => Readonly<Record<string, Uint8Array>> } = {
    paths: [],
    append: () => ({}),
  },
): Promise<Result<CuratorStateChanged>> =>
  orError(async () => {
    const seen = await readCuratorState(storage)
    if (!seen.ok) return seen
    // Named only for the copy of a corrupt state: to list the library takes time.
    const paths = [CURATOR_STATE_PATH, ...(seen.value.problem ? ['skills/'] : []), ...beside.paths]
    return storage.update<CuratorStateChanged>(paths, (cut) => {
      const { put, ...value } = planState(cut, change)
      return { put, append: value.changed ? beside.append(value) : {}, value }
    })
  })
