/** The homes of many owners in one storage (DESIGN 4). Each owner has a separate memory. */
import { openHermes } from './create-hermes.ts'
import type { Hermes } from './hermes.ts'
import type { HermesHomesOptions } from './hermes-options.ts'
import { eraseInProvider } from './home-provider.ts'
import { type ErasureReceipt, eraseOwner } from './homes/erase-owner.ts'
import { homeCache } from './homes/home-cache.ts'
import { type Owner, type OwnerId, ownerKey, toOwnerId } from './homes/owner.ts'
import { ownerRegistry } from './homes/owner-registry.ts'
import { type OwnerStorage, ownerStorage } from './homes/owner-storage.ts'
import { upkeepRound } from './homes/upkeep-round.ts'
import type { OpenedHermes } from './opened-hermes.ts'
import { guardedQueue } from './queue/guarded-queue.ts'
import type { WorkDone } from './queue/run-worker.ts'
import { resolveHomesOptions } from './resolve-options.ts'
import { runUpkeep, type UpkeepOptions, type UpkeepReport } from './run-upkeep.ts'
import { backgroundError } from './session/background-tasks.ts'
import { type HermesEvent, operatorWarning, type WiringFailure, wiringEvent } from './session/hermes-event.ts'
import type { Session } from './session/session.ts'
import { type SharedTools, sharedTools } from './session/shared-tools.ts'
import type { TendedHome } from './session/tidy-home.ts'
import { sessionOfCall, type ToolCallReference } from './session/waiting-steps.ts'
import { endsWithin } from './session/within-limit.ts'
import type { ReviewWork } from './session/work-review.ts'
import { callSafely } from './shared/call-safely.ts'
import { systemClock } from './shared/clock.ts'
import { HermesError } from './shared/hermes-error.ts'
import { withLate } from './shared/load-late.ts'
import { ok, type Result } from './shared/result.ts'
import { guardedBackend } from './storage/guarded-backend.ts'
import { inMemoryBackend } from './storage/in-memory.ts'
import type { StorageBackend } from './storage/storage-backend.ts'
import type { WorkOptions, WorkReport, WorkReviewsDeps } from './work-reviews.ts'

export interface HermesHomes extends SharedTools {
  /**
   * The home of one owner: a cheap handle that is loaded on first use. The same owner has the same home in every process. An owner is a string or `{ tenant, user }`,
   * each id with 1 to 512 characters; throws a TypeError for anything else.
   */
  for(owner: Owner): Hermes
  /** The storage of one home, for programs that read its documents directly. Usable until `close`, or until the owner is erased. Throws as `for` does. */
  storage(owner: Owner): StorageBackend
  /** All owners that have a home. */
  list(): Promise<Result<readonly OwnerId[]>>
  /**
   * Runs due reviews and curators, delivers what waits for the memory provider and removes old records, also in homes that have no more turns. Each call continues
   * with the next homes, so call it regularly, from one process or several. Failures are events.
   */
  upkeep(options?: UpkeepOptions): Promise<Result<UpkeepReport>>
  /**
   * Runs the reviews that `review.queue` has due, of any owner, with `review.model`, until `signal` fires; with `once`, until nothing is due. Call it in as many
   * processes as you like. Resolves to what was done. Fails with `invalid` without a queue or a model.
   */
  work(options?: WorkOptions): Promise<Result<WorkReport>>
  /**
   * Removes everything stored for an owner: memory, skills, sessions, journal, backups, queued reviews and the registration. Open handles of the home end, a running review writes
   * nothing, and another process removes its late writes itself. The external memory provider erases what it has; the receipt says so if it could not. After a failure,
   * call it again to finish.
   */
  erase(owner: Owner): Promise<Result<ErasureReceipt>>
  /** Like `Hermes.sessionOfCall`, for all homes. */
  sessionOfCall(call: ToolCallReference): Session | undefined
  /** For adapters: reports a call without an owner, caused by wrong wiring, as an event. Never throws. */
  reportWiring(failure: WiringFailure): void
  /** Resolves when the background work of all open homes is done. Never rejects. */
  settled(): Promise<void>
  /** Like `Hermes.close`, for all open homes. Takes at most a second if the storage responds. */
  close(): Promise<void>
}

const MINUTE_MS = 60_000
const CLOSE_LIMIT_MS = 950

interface OpenHome {
  readonly opened: OpenedHermes
  readonly storage: OwnerStorage
  readonly idle: boolean
}

/** Takes the options of `createHermes` and `homes`. Throws a TypeError for an invalid option. */
export const createHermesHomes = (options: HermesHomesOptions): HermesHomes => {
  const { homes: limits, ...resolved } = resolveHomesOptions(options)
  const { clock = systemClock, createId = () => crypto.randomUUID(), onEvent = operatorWarning(resolved.storage) } = resolved
  const storage = guardedBackend(resolved.storage)
  const registry = ownerRegistry({ storage, clock, createId })
  const cache = homeCache<OpenHome>({
    clock,
    maxOpen: limits.maxOpen,
    maxIdleMs: limits.idleMinutes * MINUTE_MS,
    onDropped: ({ opened }) => opened.release(),
  })
  const emit = (event: HermesEvent) => callSafely(onEvent, event)
  const failed = (operation: string, error: HermesError) => emit({ type: 'storage-failed', at: clock(), operation, error })
  const reportWiring = (failure: WiringFailure) => emit(wiringEvent(failure, clock))

  const openHome = (owner: OwnerId): OpenHome => {
    // Not awaited: it waits for the write that detected the erasure.
    const onErased = () => void opened.forgetAll()
    const view = ownerStorage({ storage, registry, owner, onErased })
    const opened = openHermes({ ...resolved, onEvent }, { storage: view, identity: { storage: resolved.storage, owner } })
    return {
      opened,
      storage: view,
      get idle() {
        return opened.idle
      },
    }
  }
  const open = (owner: OwnerId): OpenHome => {
    const key = ownerKey(owner)
    if (cache.peek(key)?.storage.ended) cache.drop(key)
    return cache.get(key, () => openHome(owner))
  }

  const tend = async (owner: OwnerId, signal: AbortSignal): Promise<TendedHome> => {
    const home = open(owner)
    // An owner who was erased since the listing must not get a new home.
    const exists = await home.storage.exists()
    if (!exists.ok) failed('upkeep', exists.error)
    return exists.ok && exists.value ? home.opened.upkeep(signal) : NOTHING_TENDED
  }

  const stopping = new AbortController()
  const { model } = resolved.review
  const queue = resolved.review.queue && guardedQueue(resolved.review.queue)

  const workOn: WorkReviewsDeps['work'] = async (claim, signal) => {
    const owner = claim.owner
    const home = owner && open(owner)
    const exists = await home?.storage.exists()
    if (!home || (exists?.ok && !exists.value)) return ERASED
    const done = await home.opened.workOn(claim, signal)
    return home.storage.ended && !stopping.signal.aborted ? ERASED : done
  }

  const findSession = (call: ToolCallReference, runs: boolean): Session | undefined => {
    const found = sessionOfCall(call, ({ storage: other, owner }) => other === resolved.storage && owner !== undefined, { runs })
    return found?.home.owner && open(found.home.owner).opened.hermes.session(found.sessionId)
  }
  // Belongs to no owner; provides only the names and schemas of the tools.
  const nobody = { storage: inMemoryBackend(), identity: { storage: {} } }

  const listOwners = async (): Promise<Result<readonly OwnerId[]>> => {
    const listed = await registry.list()
    if (!listed.ok) return listed
    for (const problem of listed.value.problems) failed('list owners', problem)
    return ok(listed.value.owners)
  }

  const settled = async () => {
    await Promise.all(cache.values.map(({ opened }) => opened.hermes.settled()))
  }

  return {
    for: (owner) => open(toOwnerId(owner)).opened.hermes,
    storage: (owner) => open(toOwnerId(owner)).storage,
    list: listOwners,
    async upkeep(asked = {}) {
      const owners = await listOwners()
      if (!owners.ok) return owners
      return runUpkeep({
        ...asked,
        clock,
        round: await upkeepRound(storage, owners.value),
        tend,
      })
    },
    work: (asked = {}) =>
      withLate(
        'The code of workers',
        () => import('./work-reviews.ts'),
        (code) =>
          code.workReviews(asked, {
            queue,
            hasModel: model !== undefined,
            hasOwners: true,
            stopping: stopping.signal,
            clock,
            work: workOn,
            failed: (error, operation) => failed(operation, error),
          }),
      ),
    async erase(owner) {
      const id = toOwnerId(owner)
      const onUnregistered = async () => {
        const known = cache.peek(ownerKey(id))
        cache.drop(ownerKey(id))
        await known?.opened.forgetAll()
        await known?.storage.cutOff()
      }
      const erased = await eraseOwner(id, { storage, registry, clock, onUnregistered })
      const dequeued = erased.ok ? await queue?.remove(id) : undefined
      if (!erased.ok || dequeued?.ok === false) return dequeued?.ok === false ? dequeued : erased
      const told = (event: HermesEvent) => emit({ ...event, owner: id })
      const crashed = (cause: unknown) => failed('background', backgroundError(cause))
      const provider = await eraseInProvider({ options: resolved.memory, owner: id, clock, createId, emit: told, crashed })
      return ok({ ...erased.value, ...(provider ? { provider } : {}) })
    },
    sessionOfCall: (call) => findSession(call, false),
    ...sharedTools({
      pattern: () => openHermes(resolved, nobody).hermes.session('pattern'),
      sessionOfRun: (call) => findSession(call, true),
      reportWiring,
    }),
    reportWiring,
    settled,
    async close() {
      stopping.abort()
      const homes = cache.values
      const closing = Promise.all(homes.map(({ opened }) => opened.hermes.close()))
      if (!(await endsWithin(closing, CLOSE_LIMIT_MS))) failed('close', notAllClosed())
      await storage.close()
    },
  }
}

const ERASED: WorkDone<ReviewWork> = { end: 'done', work: { outcome: { kind: 'erased' }, cost: undefined } }

const NOTHING_TENDED: TendedHome = { reviews: 0, curator: undefined }

const notAllClosed = (): HermesError =>
  new HermesError('timeout', `Not every home could be closed within ${CLOSE_LIMIT_MS} ms. Await settled() before close() to wait longer.`)
