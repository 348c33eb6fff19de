import { fingerprint } from '../shared/fingerprint.ts'

/** Which run asks a model about merges, so that a second one does not pay for the same questions. The merges themselves need no lease. */
export interface MergingRun {
  /** Epoch milliseconds: it has ended by then, or is dead. */
  readonly until: number
  /** The process that asks, by number and by an id of its own, if the platform has processes. */
  readonly pid?: number | undefined
  readonly process: string
  /** Where the number is that of a process: the machine since its last start, and its namespace of processes, as 16 hex digits. */
  readonly host?: string | undefined
}

/** Milliseconds after which a run that asks a model has ended: more than its budget of time. */
const MERGING_MS = 15 * 60 * 1000

let ownProcess: string | undefined

/** Tells this process from one that had its number before. */
const idOfProcess = (createId: () => string): string => {
  ownProcess ??= createId().replace(/\s/g, '-')
  return ownProcess
}

interface ProcessLike {
  readonly pid: number
  kill(pid: number, signal: 0): unknown
  /** Missing in older versions. */
  getBuiltinModule?(id: string): unknown
}

const platformProcess = (): ProcessLike | undefined => {
  const found: Partial<ProcessLike> | undefined = Reflect.get(globalThis, 'process')
  return typeof found?.pid === 'number' && typeof found.kill === 'function' ? (found as ProcessLike) : undefined
}

interface BuiltIn {
  hostname(): string
  readFileSync(path: string, encoding: 'utf8'): string
  readlinkSync(path: string): string
}

const readOr = (read: () => string): string => {
  try {
    return read().trim()
  } catch {
    return ''
  }
}

let ownHost: string | undefined

/** Undefined if the platform does not tell. */
const hostOf = (platform: ProcessLike | undefined): string | undefined => {
  if (ownHost !== undefined) return ownHost
  const builtIn = (id: string): Partial<BuiltIn> => Object(platform?.getBuiltinModule?.(id))
  const { hostname } = builtIn('os')
  if (!hostname) return undefined
  // Two containers, or a restored copy of a machine, may share a name and not see each other's processes.
  const { readFileSync, readlinkSync } = builtIn('fs')
  const boot = readOr(() => readFileSync?.('/proc/sys/kernel/random/boot_id', 'utf8') ?? '')
  const namespace = readOr(() => readlinkSync?.('/proc/self/ns/pid') ?? '')
  ownHost = fingerprint([hostname(), boot, namespace].join('\n'))
  return ownHost
}

/** A process that has died, or had its number before this one, asks nothing any more. Of another machine only the time tells. */
const isDead = ({ pid, process, host }: MergingRun): boolean => {
  const platform = platformProcess()
  if (pid === undefined || host === undefined || !platform || process === ownProcess || host !== hostOf(platform)) return false
  if (pid === platform.pid) return true
  try {
    platform.kill(pid, 0)
    return false
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'ESRCH'
  }
}

export const isMerging = (merging: MergingRun | undefined, now: number): merging is MergingRun =>
  merging !== undefined && merging.until > now && merging.until <= now + MERGING_MS && !isDead(merging)

/** Whether a stored run is this one, and not one that another process began since. */
export const isSameRun = (stored: MergingRun | undefined, { until, process }: MergingRun): boolean =>
  stored?.until === until && stored.process === process

/** For a run of this process that begins now. */
export const mergingRun = (now: number, createId: () => string): MergingRun => {
  const platform = platformProcess()
  const run = { until: now + MERGING_MS, process: idOfProcess(createId) }
  const host = hostOf(platform)
  return platform && host !== undefined ? { ...run, pid: platform.pid, host } : run
}
