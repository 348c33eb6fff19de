/** The homes of many people over one storage (DESIGN 4): each has a memory of their own, and nobody sees another's. */
import { type OpenedHermes, openHermes } from './create-hermes.ts'
import type { Hermes } from './hermes.ts'
import { type HermesHomesOptions, resolveHomesOptions } from './hermes-options.ts'
import { type ErasureReceipt, eraseOwner } from './homes/erase-owner.ts'
import { homeCache } from './homes/home-cache.ts'
import { type Owner, type OwnerId, ownerKey, toOwnerId } from './homes/owner.ts'
import { ownerRegistry } from './homes/owner-registry.ts'
import { type OwnerStorage, ownerStorage } from './homes/owner-storage.ts'
import { upkeepRound } from './homes/upkeep-round.ts'
import { runUpkeep, type UpkeepOptions, type UpkeepReport } from './run-upkeep.ts'
import { type HermesEvent, type WiringFailure, wiringEvent } from './session/hermes-event.ts'
import { operatorWarning } from './session/operator-warning.ts'
import type { Session } from './session/session.ts'
import { sessionOfCall, type ToolCallReference } from './session/session-of-call.ts'
import { type SharedTools, sharedTools } from './session/shared-tools.ts'
import type { TendedHome } from './session/tidy-home.ts'
import { withinLimit } from './session/within-limit.ts'
import { callSafely } from './shared/call-safely.ts'
import { systemClock } from './shared/clock.ts'
import { HermesError } from './shared/hermes-error.ts'
import { ok, type Result } from './shared/result.ts'
import { inMemoryBackend } from './storage/backends/in-memory.ts'
import { guardedBackend } from './storage/guarded-backend.ts'
import type { StorageBackend } from './storage/storage-backend.ts'

export interface HermesHomes extends SharedTools {
  /**
   * The home of one person: a cheap handle, loaded on first use. The same owner is the same home, in whichever process. Throws a TypeError for what can be no owner: a
   * string, or `{ tenant, user }`, each 1 to 512 characters.
   */
  for(owner: Owner): Hermes
  /** The documents of one home, for programs that read it as such: a back end that ends with `close`, or when the owner is erased. Throws as `for` does. */
  storage(owner: Owner): StorageBackend
  /** Everyone of whom something is kept. */
  list(): Promise<Result<readonly OwnerId[]>>
  /**
   * What no turn may ever come to do: reviews that are due, curators, old records. Looks at the next homes of the round, so call it now and then, from one process or
   * several. What fails is an event.
   */
  upkeep(options?: UpkeepOptions): Promise<Result<UpkeepReport>>
  /**
   * Removes every byte that is kept of a person: memory, skills, sessions, journal, backups, and that they were here. Handles of the home are cut off, a review under way
   * writes nothing any more, and what another process still writes it removes itself. Called again after a failure, it finishes.
   */
  erase(owner: Owner): Promise<Result<ErasureReceipt>>
  /** As `Hermes.sessionOfCall`, over all homes. */
  sessionOfCall(call: ToolCallReference): Session | undefined
  /** A call that belongs to no owner was wired up wrongly: an event. For adapters. Never throws. */
  reportWiring(failure: WiringFailure): void
  /** Resolves when everything behind the turns of all open homes is done. Never rejects. */
  settled(): Promise<void>
  /** As `Hermes.close`, over all open homes; takes at most a second on a storage that answers. */
  close(): Promise<void>
}

const MINUTE_MS = 60_000
const CLOSE_LIMIT_MS = 950

interface OpenHome {
  readonly opened: OpenedHermes
  readonly storage: OwnerStorage
  readonly idle: boolean
}

/** Every option of `createHermes`, and `homes`. Throws a TypeError for a wrong option. */
export const createHermesHomes = (options: HermesHomesOptions): HermesHomes => {
  const { homes: limits, ...resolved } = resolveHomesOptions(options)
  const { clock = systemClock, createId = () => crypto.randomUUID(), onEvent = operatorWarning(resolved.storage) } = resolved
  const storage = guardedBackend(resolved.storage)
  const registry = ownerRegistry({ storage, clock, createId })
  const cache = homeCache<OpenHome>({ clock, maxOpen: limits.maxOpen, maxIdleMs: limits.idleMinutes * MINUTE_MS })
  const emit = (event: HermesEvent) => callSafely(onEvent, event)
  const failed = (operation: string, error: HermesError) => emit({ type: 'storage-failed', at: clock(), operation, error })
  const reportWiring = (failure: WiringFailure) => emit(wiringEvent(failure, clock))

  const openHome = (owner: OwnerId): OpenHome => {
    // Nobody waits for it: it waits for the very write that has found the erasure.
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
    // Who was erased since the owners were listed is not begun anew.
    const exists = await home.storage.exists()
    if (!exists.ok) failed('upkeep', exists.error)
    return exists.ok && exists.value ? home.opened.upkeep(signal) : NOTHING_TENDED
  }

  const findSession = (call: ToolCallReference, runs: boolean): Session | undefined => {
    const found = sessionOfCall(call, ({ storage: other, owner }) => other === resolved.storage && owner !== undefined, { runs })
    return found?.home.owner && open(found.home.owner).opened.hermes.session(found.sessionId)
  }
  // Of nobody: it lends its tools' names and schemas.
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
    async erase(owner) {
      const id = toOwnerId(owner)
      const onUnregistered = async () => {
        const known = cache.peek(ownerKey(id))
        cache.drop(ownerKey(id))
        await known?.opened.forgetAll()
        await known?.storage.cutOff()
      }
      return eraseOwner(id, { storage, registry, clock, onUnregistered })
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
      const homes = cache.values
      const closing = Promise.all(homes.map(({ opened }) => opened.hermes.close())).then(() => true)
      if ((await withinLimit(closing, CLOSE_LIMIT_MS)) === undefined) failed('close', notAllClosed())
      await storage.close()
    },
  }
}

const NOTHING_TENDED: TendedHome = { reviews: 0, curator: undefined }

const notAllClosed = (): HermesError =>
  new HermesError('timeout', `Not every home could be closed within ${CLOSE_LIMIT_MS} ms. Await settled() before close() to wait longer.`)
