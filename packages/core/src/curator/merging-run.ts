/** Which run asks a model about merges, so that a second one does not pay for the same questions. The merges themselves need no lease. */
export interface MergingRun {
  /** Epoch milliseconds: it has ended by then, or is dead. */
  readonly until: number
  /** The process that asks, by number and by an id of its own, if the platform has processes. */
  readonly pid?: number | undefined
  readonly process: string
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
}

const platformProcess = (): ProcessLike | undefined => {
  const found: Partial<ProcessLike> | undefined = Reflect.get(globalThis, 'process')
  return typeof found?.pid === 'number' && typeof found.kill === 'function' ? (found as ProcessLike) : undefined
}

/** A process that has died, or had its number before this one, asks nothing any more. */
const isDead = ({ pid, process }: MergingRun): boolean => {
  const platform = platformProcess()
  if (pid === undefined || !platform || process === ownProcess) return false
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

/** For a run of this process that begins now. */
export const mergingRun = (now: number, createId: () => string): MergingRun => ({
  until: now + MERGING_MS,
  process: idOfProcess(createId),
  pid: platformProcess()?.pid,
})
