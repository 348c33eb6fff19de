/** An update that waits for the lock of its home: how long, and what its caller is told when that was too long. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, type Result } from '../../shared/result.ts'
import type { NamedPaths } from '../cut.ts'
import type { Cut, Plan, UpdateOptions } from '../storage-backend.ts'
import { toError } from './disk.ts'
import { sharedWithin } from './names.ts'
import { jitter } from './pause.ts'

/** What a plan has thrown, for its caller. */
export class ThrownByPlan extends Error {
  constructor(thrown: unknown) {
    super('A plan has thrown.', { cause: thrown })
  }
}

export class WaitingUpdate {
  readonly named: NamedPaths
  readonly plan: (cut: Cut) => Plan<unknown>
  /** Documents of Python's that it may change. */
  readonly shared: readonly string[]
  readonly durable: boolean
  readonly forget: boolean
  readonly done: Promise<Result<unknown>>
  #resolve: (result: Result<unknown>) => void = () => {}
  #reject: (cause: unknown) => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  isUnderWay = false
  isSettled = false
  /** How often another program has changed a document while the plan ran. */
  tries = 0
  /** The lock that could not be had for it, as a file. */
  missing: string | undefined

  constructor(named: NamedPaths, plan: (cut: Cut) => Plan<unknown>, { durable = true, forget = false }: UpdateOptions) {
    this.named = named
    this.plan = plan
    this.shared = sharedWithin(named)
    this.durable = durable
    this.forget = forget
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  giveUpAfter(ms: number, giveUp: () => void): void {
    this.#timer = setTimeout(giveUp, ms)
  }

  #end(): void {
    this.isSettled = true
    clearTimeout(this.#timer)
  }

  settle(result: Result<unknown>): void {
    this.#end()
    this.#resolve(result)
  }

  /** An error of the system or of the library is a result; any other is a mistake in the program and thrown, as is what the plan has thrown. */
  fail(cause: unknown): void {
    try {
      if (cause instanceof ThrownByPlan) throw cause.cause
      this.settle(err(toError(cause, 'write', [...this.named.documents, ...this.named.folders][0])))
    } catch (fault) {
      this.#end()
      this.#reject(fault)
    }
  }

  failToForget(cause: unknown): void {
    try {
      this.settle(err(notForgottenError(cause)))
    } catch (fault) {
      this.fail(fault)
    }
  }
}

/** Of an update that was done. */
const notForgottenError = (cause: unknown): HermesError => {
  const error = toError(cause, 'write')
  const message = `${error.message} The update was done, but what it replaced may remain in files of the storage. Try again to forget it.`
  return new HermesError(error.code, message, { cause, details: { ...error.details, isInLog: true } })
}

/**
 * Milliseconds between two tries to take a lock, growing at first. After a long wait they are short again: a writer that takes the lock again and again leaves
 * it free only briefly, and a waiter that tried more rarely than later ones would starve.
 */
export const pauseFor = (tries: number, waitedMs: number): number =>
  tries < 4 ? 0 : 1 + jitter() * Math.min(tries - 4, waitedMs < 1000 ? 20 : 3)

/** `lock`: its file. */
export const lockedError = (lock: string, ms: number, holder: number | undefined): HermesError =>
  new HermesError(
    'locked',
    `${holder === undefined ? 'Another program' : `Process ${holder}`} has held the lock '${lock}' for ${ms} ms. Wait until it has ended, or end it, and try again, or pass a longer 'timeoutMs'. Nothing was written.`,
    { details: { lock, ...(holder === undefined ? {} : { holder }) } },
  )

export const changingError = (paths: readonly string[]): HermesError =>
  new HermesError(
    'locked',
    `Another program that takes no lock changed '${paths.join("' or '")}' again and again. Nothing was written; try again once it has ended.`,
    { details: { paths } },
  )
