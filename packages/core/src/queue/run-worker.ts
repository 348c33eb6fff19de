/** A worker: claims due entries of a queue, a few at a time, keeps their claims alive while it works, and ends them. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { ClaimEnd, ReviewClaim, ReviewQueue } from './review-queue.ts'

export interface WorkerOptions {
  /** Maximum number of reviews at once in this process. Default 4. */
  readonly concurrency?: number | undefined
  /** True: returns when nothing is due any more. False: continues until `signal` fires. Default false. */
  readonly once?: boolean | undefined
  /** After it fires, nothing more is claimed; reviews under way may finish within `stopWithinMs`, then they are cancelled and due again. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds; containers usually have 10 seconds to stop. Default 8,000. */
  readonly stopWithinMs?: number | undefined
  /** Milliseconds between two looks into an empty queue. Default 2,000. */
  readonly pollMs?: number | undefined
  /** Milliseconds after which the reviews of a worker that died are taken over. Default 60,000. */
  readonly leaseMs?: number | undefined
}

export interface WorkDone<Work> {
  readonly end: ClaimEnd
  readonly work: Work
}

export interface WorkerDeps<Work> {
  readonly queue: ReviewQueue
  /** Never rejects. `signal`: cancels the work. */
  readonly work: (claim: ReviewClaim, signal: AbortSignal) => Promise<WorkDone<Work>>
  readonly onDone: (claim: ReviewClaim, work: Work) => void
  readonly failed: (error: HermesError, operation: string) => void
}

const NEVER = new AbortController().signal
/** Milliseconds that cancelled work may take to end its claims. */
const CANCEL_MS = 5_000
const MAX_TIMER_MS = 2 ** 31 - 1

const RANGES = {
  concurrency: [1, 1_000],
  stopWithinMs: [0, MAX_TIMER_MS],
  pollMs: [1, MAX_TIMER_MS],
  leaseMs: [1_000, MAX_TIMER_MS],
} as const

const NAMES: ReadonlySet<string> = new Set(['once', 'signal', 'onReview', ...Object.keys(RANGES)])

/** Validates the options, since JavaScript callers may pass anything. */
export const checkWorkerOptions = (options: WorkerOptions): Result<WorkerOptions> => {
  const unknown = Object.keys(options).find((name) => !NAMES.has(name))
  if (unknown !== undefined) return err(new HermesError('invalid', `A worker has no option '${unknown}'. It has ${[...NAMES].join(', ')}.`))
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const value: unknown = Reflect.get(options, name)
    if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most)) continue
    return err(new HermesError('invalid', `'${name}' must be a whole number from ${least} to ${most}.`))
  }
  return ok(options)
}

/** Resolves after `ms`, when `signal` fires, or when one of `tasks` ends. */
const nextMoment = async (ms: number, signal: AbortSignal, tasks: Iterable<Promise<unknown>>): Promise<void> => {
  let wake: () => void = () => {}
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  const timer = setTimeout(wake, ms)
  signal.addEventListener('abort', wake, { once: true })
  try {
    if (!signal.aborted) await Promise.race([woken, ...tasks])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', wake)
  }
}

/** Works on one claim and ends it. Never rejects. */
const runClaim = async <Work>(claim: ReviewClaim, leaseMs: number, cancel: AbortSignal, deps: WorkerDeps<Work>): Promise<void> => {
  const { queue, work, onDone, failed } = deps
  const calling = new AbortController()
  const onCancel = () => calling.abort()
  cancel.addEventListener('abort', onCancel, { once: true })
  if (cancel.aborted) calling.abort()
  const renew = async () => {
    const renewed = await queue.renew(claim, leaseMs)
    if (renewed.ok) return
    // Another worker has the review, or its owner was erased.
    if (renewed.error.code === 'superseded') calling.abort()
    else failed(renewed.error, 'renew queued review')
  }
  const timer = setInterval(renew, leaseMs / 3)
  try {
    const done = await work(claim, calling.signal)
    const ended = await queue.end(claim, done.end)
    // Without an end the claim expires, and the home then decides whether anything is left to review.
    if (!ended.ok && ended.error.code !== 'superseded') failed(ended.error, 'end queued review')
    onDone(claim, done.work)
  } catch (cause) {
    failed(new HermesError('io', `A review stopped: ${String(cause)}`, { cause }), 'work')
  } finally {
    clearInterval(timer)
    cancel.removeEventListener('abort', onCancel)
  }
}

/** Resolves when the worker has stopped; an error if `once` is set and the queue could not be read. */
export const runWorker = async <Work>(options: WorkerOptions, deps: WorkerDeps<Work>): Promise<Result<void>> => {
  const { concurrency = 4, once = false, signal = NEVER, stopWithinMs = 8_000, pollMs = 2_000, leaseMs = 60_000 } = options
  const { queue, failed } = deps
  const cancelling = new AbortController()
  const running = new Set<Promise<void>>()

  const start = (claim: ReviewClaim): void => {
    const task: Promise<void> = runClaim(claim, leaseMs, cancelling.signal, deps).finally(() => running.delete(task))
    running.add(task)
  }

  /** Takes as much as it has room for. True if it may wait: the queue had no more. */
  const fill = async (): Promise<Result<boolean>> => {
    const limit = concurrency - running.size
    if (limit <= 0) return ok(true)
    const claims = await queue.claim({ limit, leaseMs })
    if (!claims.ok) {
      failed(claims.error, 'claim reviews')
      return claims
    }
    for (const claim of claims.value) start(claim)
    return ok(claims.value.length < limit)
  }

  let problem: HermesError | undefined
  let filling: Promise<Result<boolean>> | undefined
  /** Includes the claims that a slow queue gives after the signal. */
  const drain = async (): Promise<void> => {
    await filling
    while (running.size > 0) await Promise.all(running)
  }

  while (!signal.aborted) {
    filling = fill()
    await nextMoment(MAX_TIMER_MS, signal, [filling])
    if (signal.aborted) break
    const filled = await filling
    if (once && !filled.ok) problem = filled.error
    if (once && (problem || (running.size === 0 && filled.ok && filled.value))) break
    if (!filled.ok || filled.value) await nextMoment(pollMs, signal, running)
  }
  if (signal.aborted) await nextMoment(stopWithinMs, NEVER, [drain()])
  else await drain()
  cancelling.abort()
  if (running.size > 0) await nextMoment(CANCEL_MS, NEVER, [Promise.all(running)])
  return problem ? err(problem) : ok(undefined)
}
