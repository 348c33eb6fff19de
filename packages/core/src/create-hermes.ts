/** The composition root of one home. Contains no logic of its own. */
import type { Hermes } from './hermes.ts'
import type { HermesOptions } from './hermes-options.ts'
import { Home } from './home.ts'
import { HomeCurator } from './home-curator.ts'
import { HomeProvider } from './home-provider.ts'
import { type HomeIdentity, isSameHome } from './homes/owner.ts'
import { Learning } from './learning.ts'
import type { AnyProfile, ProfileOf, ProfileSchema } from './memory/profile-schema.ts'
import { type ResolvedHermesOptions, resolveOptions } from './resolve-options.ts'
import { wiringEvent } from './session/hermes-event.ts'
import type { OpenOptions } from './session/session.ts'
import type { OwnedSession } from './session/session-home.ts'
import { closeStepsOfHome, sessionOfCall, type ToolCallReference } from './session/session-nesting.ts'
import type { TendedHome } from './session/tidy-home.ts'
import { sharedTools } from './session/tool-calls.ts'
import { endsWithin } from './session/within-limit.ts'
import { HermesError } from './shared/hermes-error.ts'
import { lazyVerbs, loadOnce, withLazy } from './shared/lazy.ts'
import { ok } from './shared/result.ts'
import type { StorageBackend } from './storage/storage-backend.ts'

/** The closed learning loop over one storage, the home of one person (DESIGN 1). Every option except `storage` has a default. Throws a TypeError for an invalid option. */
export const createHermes = <const Schema extends ProfileSchema = ProfileSchema<AnyProfile>>(
  options: HermesOptions<Schema>,
): Hermes<ProfileOf<Schema>> => {
  const resolved = resolveOptions(options)
  return new OpenHome(resolved, resolved.storage, { storage: resolved.storage }).hermes as Hermes<ProfileOf<Schema>>
}

/** Cancelled work ends at once; this is the time for writes that are in progress. */
const CLOSE_LIMIT_MS = 900
const NOT_DONE = `Not everything was saved within ${CLOSE_LIMIT_MS} ms. Await settled() before close() to wait longer.`

/** A home with all that works for it. */
export class OpenHome {
  readonly hermes: Hermes
  readonly learning: Learning
  readonly #home: Home
  readonly #provider: HomeProvider
  readonly #curator: HomeCurator

  /** The options must be resolved. `storage` is closed together with the home. */
  constructor(options: ResolvedHermesOptions, storage: StorageBackend, identity: HomeIdentity) {
    this.#home = new Home(options, storage, identity)
    this.#provider = new HomeProvider(this.#home)
    this.learning = new Learning(this.#home, this.#provider.connection)
    this.#curator = new HomeCurator(this.#home)
    this.hermes = this.#createHermes()
  }

  /** True if nothing is unsaved and no work is running. */
  get idle(): boolean {
    return this.#curator.runs.idle && this.learning.idle && this.#provider.idle
  }

  /** Releases what an unused home holds open: its memory provider, until it is used again. */
  release(): void {
    this.#provider.release()
  }

  /** Cancels running work. Afterwards no session stores or shows anything. */
  async forgetAll(): Promise<void> {
    this.#curator.stop()
    // Also closes the steps of sessions whose handles were dropped.
    closeStepsOfHome(this.#home.identity)
    this.learning.stop()
    await this.learning.sessions.forgetAll()
    await this.#provider.close(0)
  }

  /** Upkeep that does not depend on a turn. Never rejects; failures are events. */
  async upkeep(signal: AbortSignal): Promise<TendedHome> {
    const { storage, clock, options, failed } = this.#home
    const tended = await withLazy(
      'The code of upkeep',
      () => import('./session/tidy-home.ts'),
      async ({ tendHome }) =>
        ok(
          await tendHome({
            ...this.learning.sessionHome.options,
            storage,
            clock,
            review: (given) => this.learning.tend(given),
            deliver: () => this.#provider.deliver(),
            maybeRun: options.curator.enabled ? () => this.#curator.verbs.maybeRun({ signal }) : undefined,
            onFailure: (operation, error) => failed(error, operation),
            signal,
          }),
        ),
    )
    if (tended.ok) return tended.value
    failed(tended.error, 'upkeep')
    return { reviews: 0, curator: undefined }
  }

  async #settled(): Promise<void> {
    await Promise.all([this.#curator.runs.settled(), this.learning.settled()])
  }

  async #close(): Promise<void> {
    this.learning.stop()
    this.#curator.stop()
    const ended = this.#settled().then(() => this.#provider.close(CLOSE_LIMIT_MS / 2))
    if (!(await endsWithin(ended, CLOSE_LIMIT_MS))) this.#home.failed(new HermesError('timeout', NOT_DONE), 'close')
    await this.#home.storage.close()
  }

  #findSession(call: ToolCallReference, runs: boolean): OwnedSession | undefined {
    const found = sessionOfCall(call, (other) => isSameHome(other, this.#home.identity), { runs })
    return found && this.learning.sessions.get(found.sessionId)
  }

  #createHermes(): Hermes {
    const home = this.#home
    const { storage, clock, createId, journal, usage, failed: onFailure } = home
    const provider = this.#provider.connection
    const { sessions } = this.learning
    const opened = ({ project = home.options.project, checkpoint }: OpenOptions = {}): OpenOptions => ({ project, checkpoint })
    const hostSkills = home.openSkills({ log: home.skillLog })
    const loadReader = loadOnce(async () => {
      const { sessionReader } = await import('./session/session-reader.ts')
      return sessionReader(this.learning.sessionHome)
    })
    const loadPending = async () => (await import('./home-pending.ts')).homePending(home)
    const loadProfile = async () => (await import('./home-profile.ts')).homeProfile(home)
    const loadMemory = async () => (await import('./home-memory.ts')).homeMemory(home)
    const loadLearn = async () => (await import('./home-learn.ts')).homeLearn(home, this.learning)
    const learn = lazyVerbs('The code that learns on request', loadLearn, 'sources', 'estimate', 'batch')
    const loadRemember = async () => new (await import('./home-remember.ts')).HomeRemember(home, learn, provider)
    const reportWiring: Hermes['reportWiring'] = (failure) => home.emit(wiringEvent(failure, clock))
    return {
      session: (id = createId(), given) => sessions.get(id, opened(given)),
      memory: lazyVerbs('Memory', loadMemory, 'list', 'search', 'add', 'replace', 'remove', 'pin', 'unpin', 'shared', 'why'),
      profile: lazyVerbs('The profile', loadProfile, 'read', 'write'),
      memoryStore: ({ project = home.options.project } = {}) => home.openMemory({ log: home.memoryLog, project }),
      projects: () =>
        withLazy(
          'Memory',
          () => import('./home-memory.ts'),
          ({ listProjects }) => listProjects(home),
        ),
      skillStore: () => hostSkills,
      skillReader: () => home.skillReader,
      usageStore: () => usage,
      journal,
      sessions: {
        ...lazyVerbs(READER, loadReader, 'list', 'get'),
        async nextBlock(prefix, project = home.options.project) {
          const block = await withLazy(READER, loadReader, async (reader) => ok(await reader.nextBlock(prefix, project)))
          if (!block.ok) onFailure(block.error, 'sessions')
          return block.ok ? block.value : ''
        },
      },
      pending: lazyVerbs('The code of held proposals', loadPending, 'list', 'approve', 'reject', 'putBack'),
      learn,
      ...lazyVerbs('The code that remembers', loadRemember, 'remember', 'recall'),
      undo: (...given) =>
        withLazy(
          'The code of undo',
          () => import('./home-undo.ts'),
          ({ undoInHome }) => undoInHome(home, ...given),
        ),
      curator: this.#curator.verbs,
      export: () =>
        withLazy(
          'The code of exports',
          () => import('./portability/export-home.ts'),
          ({ exportHome }) => exportHome(storage),
        ),
      import: (archive, given) =>
        withLazy(
          'The code of imports',
          () => import('./portability/import-archive.ts'),
          ({ importArchive }) => importArchive(home, archive, given),
        ),
      sessionOfCall: (call) => this.#findSession(call, false),
      ...sharedTools({
        pattern: (given) => sessions.get(createId(), opened(given)),
        sessionOfRun: (call) => this.#findSession(call, true),
        reportWiring,
      }),
      reportWiring,
      settled: async () => {
        await this.#settled()
        await this.#provider.settled()
      },
      review: (given = {}) => this.learning.review(given),
      reviewDue: () => this.learning.reviewDue(),
      work: (given = {}) => this.learning.work(given),
      forgetSession: async (id) => {
        const removed = await this.learning.forgetting.forget(id)
        const erased = await provider?.forget({ kind: 'session', sessionId: id, dryRun: false })
        return !removed.ok || erased === undefined || erased.ok ? removed : erased
      },
      forget: (target, given) =>
        withLazy(
          'The code of erasure',
          () => import('./erasure/forget.ts'),
          ({ forget }) => forget(home, this.learning.forgetting, provider, target, given),
        ),
      close: () => this.#close(),
    }
  }
}

const READER = 'The code that reads stored sessions'
