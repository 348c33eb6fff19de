/** A queue of due reviews in PostgreSQL, over the client that the host already has. */
import { err, HermesError, ok, type Result } from '@hermes/core'
import {
  checkClaimEnd,
  checkClaimOptions,
  checkLease,
  checkQueuedReview,
  checkQueueOwner,
  ownerPath,
  type ReviewClaim,
  type ReviewQueue,
} from '@hermes/core/queue'
import { createCalls } from './calls/create-calls.ts'
import { checkOptions, type PostgresReviewQueueOptions } from './check-options.ts'
import { detectDriver, type PostgresClient } from './drivers/detect-driver.ts'
import { judgeFailure } from './failures/judge-failure.ts'
import { retrying } from './failures/patience.ts'
import { ownerText, type ReviewOwner } from './queue/review-rows.ts'
import { createReviewStatements, type EntryKey } from './queue/review-statements.ts'
import { schemaNames } from './schema/schema-name.ts'

const homeOf = async (owner: ReviewOwner): Promise<string> => (owner ? ownerPath(owner) : '')

const keyOf = async ({ owner, kind }: ReviewClaim): Promise<EntryKey> => ({ home: await homeOf(owner), kind })

const superseded = (): HermesError =>
  new HermesError('superseded', 'This claim has ended, its entry was removed, or another worker claimed it. Stop the review.')

const inDoubt = (): HermesError =>
  new HermesError(
    'io',
    'The connection was lost while the claim was ended, and the entry is no longer claimed by it: either it was ended, or another worker claimed it.',
  )

const isClaimed = (held: boolean): Result<void> => (held ? ok(undefined) : err(superseded()))

/**
 * Entries in a table of the schema, which the first call creates; due times and leases by the server's clock. Share the schema and the
 * client of `postgresBackend`, or use others. Throws a TypeError for a client or an option that cannot be used. Closing it waits for its
 * calls and leaves the host's client open.
 */
export const postgresReviewQueue = (client: PostgresClient, options: PostgresReviewQueueOptions = {}): ReviewQueue => {
  const { schema, timeoutMs } = checkOptions(options)
  const driver = detectDriver(client)
  const names = schemaNames(schema)
  const statements = createReviewStatements(driver.query, names)
  const calls = createCalls({ driver, names, timeoutMs, createId: () => crypto.randomUUID() })

  /** `work` may be repeated after a failure. */
  const run = <T>(checked: Result<unknown>, work: () => Promise<Result<T>>): Promise<Result<T>> =>
    calls.call(checked, async (patience) => {
      try {
        await calls.ensure(patience)
        return await retrying(patience, work)
      } catch (cause) {
        return err(judgeFailure(cause).error)
      }
    })

  return {
    add(review) {
      const checked = checkQueuedReview(review)
      return run(checked, async () => {
        if (!checked.ok) return checked
        const { owner, kind, dueAt } = checked.value
        return ok(await statements.add({ home: await homeOf(owner), kind, owner: ownerText(owner), dueAt }))
      })
    },
    // If the answer to a claim is lost, its entries wait for the end of the lease, as those of a worker that died.
    claim: (asked) => run(checkClaimOptions(asked), async () => ok(await statements.claim(asked))),
    renew: (claim, leaseMs) =>
      run(checkLease(leaseMs), async () => isClaimed(await statements.renew(await keyOf(claim), claim.fence, leaseMs))),
    end(claim, end) {
      let isDoubtful = false
      return run(checkClaimEnd(end), async () => {
        try {
          const held = await statements.end(await keyOf(claim), claim.fence, end)
          return !held && isDoubtful ? err(inDoubt()) : isClaimed(held)
        } catch (cause) {
          isDoubtful ||= judgeFailure(cause).kind === 'dropped'
          throw cause
        }
      })
    },
    remove: (owner) => run(checkQueueOwner(owner), async () => ok(await statements.remove(await homeOf(owner)))),
    stats: () => run(ok(undefined), async () => ok(await statements.stats())),
    close: calls.close,
  }
}
