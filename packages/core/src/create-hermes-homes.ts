/** The homes of many owners in one storage (DESIGN 4). Each owner has a separate memory. */
import { OpenHome } from './create-hermes.ts'
import type { Hermes } from './hermes.ts'
import type { HermesHomesOptions } from './hermes-options.ts'
import { Home } from './home.ts'
import { eraseInProvider } from './home-provider.ts'
import { homeCache } from './homes/home-cache.ts'
import { type Owner, type OwnerId, ownerKey, toOwnerId } from './homes/owner.ts'
import { OwnerStorage } from './homes/owner-storage.ts'
import type * as Owners from './homes/owners.ts'
import type { ErasureReceipt } from './homes/owners.ts'
import type { AnyProfile, ProfileOf, ProfileSchema } from './memory/profile-schema.ts'
import { guardedQueue } from './queue/guarded-queue.ts'
import type { WorkDone } from './queue/run-worker.ts'
import { type ResolvedHermesOptions, resolveHomesOptions } from './resolve-options.ts'
import type { UpkeepOptions, UpkeepReport } from './run-upkeep.ts'
import { type HermesEvent, operatorWarning, type WiringFailure, wiringEvent } from './session/hermes-event.ts'
import type { Session } from './session/session.ts'
import { sessionOfCall, type ToolCallReference } from './session/session-nesting.ts'
import type { TendedHome } from './session/tidy-home.ts'
import { type SharedTools, sharedTools } from './session/tool-calls.ts'
import { endsWithin } from './session/within-limit.ts'
import type { ReviewWork } from './session/work-review.ts'
import { callSafely } from './shared/call-safely.ts'
import { HermesError } from './shared/hermes-error.ts'
import { withLazy } from './shared/lazy.ts'
import { err, ok, type Result } from './shared/result.ts'
import { guardedBackend } from './storage/guarded-backend.ts'
import { inMemoryBackend } from './storage/in-memory.ts'
import type { StorageBackend } from './storage/storage-backend.ts'
import type { WorkOptions, WorkReport, WorkReviewsDeps } from './work-reviews.ts'

export interface HermesHomes<Profile = AnyProfile> extends SharedTools {
  /**
   * The home of one owner: a cheap handle that is loaded on first use. The same owner has the same home in every process. An owner is a string or `{ tenant, user }`,
   * each id with 1 to 512 characters; throws a TypeError for anything else.
   */
  for(owner: Owner): Hermes<Profile>
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
   * Removes everything stored for an owner: memory, skills, sessions, journal, backups, queued reviews and the registration. Open handles of the home end, in every process: they
   * and a running review write nothing any more. The external memory provider erases what it has; the receipt says so if it could not. After a failure,
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

class OwnedHome extends OpenHome {
  readonly storage: OwnerStorage

  constructor(options: ResolvedHermesOptions, storage: OwnerStorage, owner: OwnerId) {
    super(options, storage, { storage: options.storage, owner })
    this.storage = storage
  }
}

/** Takes the options of `createHermes` and `homes`. Throws a TypeError for an invalid option. */
export const createHermesHomes = <const Schema extends ProfileSchema = ProfileSchema<AnyProfile>>(
  options: HermesHomesOptions<Schema>,
): HermesHomes<ProfileOf<Schema>> => {
  const { homes: limits, ...resolved } = resolveHomesOptions(options)
  const { clock, createId, onEvent = operatorWarning(resolved.storage) } = resolved
  const storage = guardedBackend(resolved.storage)
  const cache = homeCache<OwnedHome>({
    clock,
    maxOpen: limits.maxOpen,
    maxIdleMs: limits.idleMinutes * MINUTE_MS,
    onDropped: (home) => home.release(),
  })
  const emit = (event: HermesEvent) => callSafely(onEvent, event)
  const failed = (operation: string, error: HermesError) => emit({ type: 'storage-failed', at: clock(), operation, error })
  const reportWiring = (failure: WiringFailure) => emit(wiringEvent(failure, clock))

  const openHome = (owner: OwnerId): OwnedHome => {
    // Not awaited: it waits for the call that detected the erasure.
    const onErased = () => void home.forgetAll()
    const home = new OwnedHome(resolved, new OwnerStorage({ storage, owner, clock, createId, onErased }), owner)
    return home
  }
  const open = (owner: OwnerId): OwnedHome => {
    const key = ownerKey(owner)
    if (cache.peek(key)?.storage.ended) cache.drop(key)
    return cache.get(key, () => openHome(owner))
  }

  const erase = async (id: OwnerId): Promise<Result<ErasureReceipt>> => {
    const erased = await withOwners(({ eraseOwner }) => eraseOwner(storage, id, clock))
    const known = cache.peek(ownerKey(id))
    if (!erased.ok) {
      // It ends if the erasure has begun.
      await known?.storage.look()
      return erased
    }
    cache.drop(ownerKey(id))
    await known?.forgetAll()
    await known?.storage.cutOff()
    const { receipt, problem } = erased.value
    if (problem) return err(problem)
    const dequeued = await queue?.remove(id)
    if (dequeued?.ok === false) return dequeued
    const provider = await eraseInProvider(new Home(resolved, inMemoryBackend(), { storage: {}, owner: id }))
    return ok({ ...receipt, ...(provider ? { provider } : {}) })
  }

  /** Work that was not asked for by the owner must not begin a new home, if the owner was erased. */
  const look = async (owner: OwnerId) => {
    const home = open(owner)
    const looked = await home.storage.look()
    // A handle from before an erasure does not see what has begun since.
    return !looked.ok && home.storage.ended ? { home: open(owner), looked: await open(owner).storage.look() } : { home, looked }
  }

  const tend = async (owner: OwnerId, signal: AbortSignal): Promise<TendedHome> => {
    const { home, looked } = await look(owner)
    if (looked.ok && looked.value === 'present') return home.upkeep(signal)
    const finished = looked.ok && looked.value === 'erasing' ? await erase(owner) : looked
    if (!finished.ok) failed('upkeep', finished.error)
    return NOTHING_TENDED
  }

  const stopping = new AbortController()
  const queue = resolved.review.queue && guardedQueue(resolved.review.queue)

  const workOn: WorkReviewsDeps['work'] = async (claim, signal) => {
    if (!claim.owner) return ERASED
    const { home, looked } = await look(claim.owner)
    if (looked.ok && looked.value !== 'present') return ERASED
    const done = await home.learning.workOn(claim, signal)
    return home.storage.ended && !stopping.signal.aborted ? ERASED : done
  }

  const findSession = (call: ToolCallReference, runs: boolean): Session | undefined => {
    const found = sessionOfCall(call, ({ storage: other, owner }) => other === resolved.storage && owner !== undefined, { runs })
    return found?.home.owner && open(found.home.owner).hermes.session(found.sessionId)
  }
  const list = async (): Promise<Result<readonly OwnerId[]>> => {
    const listed = await withOwners(({ listOwners }) => listOwners(storage))
    if (!listed.ok) return listed
    for (const problem of listed.value.problems) failed('list owners', problem)
    return ok(listed.value.owners)
  }

  const settled = async () => {
    await Promise.all(cache.values.map(({ hermes }) => hermes.settled()))
  }

  return {
    for: (owner) => open(toOwnerId(owner)).hermes,
    storage: (owner) => open(toOwnerId(owner)).storage,
    list,
    async upkeep(asked = {}) {
      const owners = await list()
      if (!owners.ok) return owners
      return withLazy(
        'The code of upkeep',
        () => import('./run-upkeep.ts'),
        ({ runUpkeep }) => runUpkeep(asked, { storage, owners: owners.value, clock, tend }),
      )
    },
    work: (asked = {}) =>
      withLazy(
        'The code of workers',
        () => import('./work-reviews.ts'),
        (code) =>
          code.workReviews(asked, {
            review: { ...resolved.review, queue },
            hasOwners: true,
            stopping: stopping.signal,
            clock,
            work: workOn,
            failed: (error, operation) => failed(operation, error),
          }),
      ),
    erase: (owner) => erase(toOwnerId(owner)),
    sessionOfCall: (call) => findSession(call, false),
    ...sharedTools({
      // Belongs to no owner; provides only the names and schemas of the tools.
      pattern: (given) => new OpenHome(resolved, inMemoryBackend(), { storage: {} }).hermes.session('pattern', given),
      sessionOfRun: (call) => findSession(call, true),
      reportWiring,
    }),
    reportWiring,
    settled,
    async close() {
      stopping.abort()
      const homes = cache.values
      const closing = Promise.all(homes.map(({ hermes }) => hermes.close()))
      if (!(await endsWithin(closing, CLOSE_LIMIT_MS))) failed('close', notAllClosed())
      await storage.close()
    },
  }
}

const withOwners = <T>(use: (code: typeof Owners) => Promise<Result<T>>): Promise<Result<T>> =>
  withLazy('The code that lists and erases owners', () => import('./homes/owners.ts'), use)

const ERASED: WorkDone<ReviewWork> = { end: 'done', work: { outcome: { kind: 'erased' }, cost: undefined } }

const NOTHING_TENDED: TendedHome = { reviews: 0, curator: undefined }

const notAllClosed = (): HermesError =>
  new HermesError('timeout', `Not every home could be closed within ${CLOSE_LIMIT_MS} ms. Await settled() before close() to wait longer.`)
