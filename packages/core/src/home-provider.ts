/** Connects a home to its memory provider, and to what the provider may read of it. */
import type { MemoryProviderOptions } from './hermes-options.ts'
import type { ErasedByProvider } from './homes/erase-owner.ts'
import { type OwnerId, providerFolder } from './homes/owner.ts'
import type { EntryChanges } from './memory/entry-changes.ts'
import type { MemoryTarget } from './memory/memory-op.ts'
import { createProviderConnection } from './provider/create-provider-connection.ts'
import type { MemoryProvider } from './provider/memory-provider.ts'
import type { ProviderConnection } from './provider/provider-connection.ts'
import type { ProviderEvent } from './provider/provider-event.ts'
import { PROVIDER_FOLDER } from './provider/provider-items.ts'
import type { Archives } from './read-archived.ts'
import { BackgroundTasks } from './session/background-tasks.ts'
import { withinLimit } from './session/within-limit.ts'
import type { Clock } from './shared/clock.ts'
import { withLate } from './shared/load-late.ts'
import { ok } from './shared/result.ts'
import { inMemoryBackend } from './storage/in-memory.ts'

/** `closed`: resolves when an earlier connection of this home is closed. The folder is computed here, since a long name takes a hash. */
const ofOwner = (provider: MemoryProvider, owner: OwnerId | undefined, closed: () => Promise<unknown>): MemoryProvider => ({
  name: provider.name,
  ...(provider.systemPromptBlock === undefined ? {} : { systemPromptBlock: provider.systemPromptBlock }),
  ...(provider.tools === undefined ? {} : { tools: provider.tools }),
  initialize: async (home, call) => {
    await closed()
    return provider.initialize({ ...home, folder: await providerFolder(owner) }, call)
  },
})

/** A connection that can be closed in between: the next call opens the provider again. `create` is called at once. */
const renewable = (create: () => ProviderConnection): ProviderConnection & { renew(): ProviderConnection } => {
  let current = create()
  return {
    name: current.name,
    systemPromptBlock: current.systemPromptBlock,
    tools: current.tools,
    turnStarted: (turn) => current.turnStarted(turn),
    recall: (query) => current.recall(query),
    turnFinished: (turn) => current.turnFinished(turn),
    memoryWritten: (write) => current.memoryWritten(write),
    sessionSwitched: (change) => current.sessionSwitched(change),
    sessionEnded: (sessionId) => current.sessionEnded(sessionId),
    beforeCompress: (sessionId, messages) => current.beforeCompress(sessionId, messages),
    callTool: (name, input, sessionId) => current.callTool(name, input, sessionId),
    forget: (target) => current.forget(target),
    get idle() {
      return current.idle
    },
    get canClose() {
      return current.canClose
    },
    settled: () => current.settled(),
    deliver: () => current.deliver(),
    close: (limitMs) => current.close(limitMs),
    /** Returns the former connection, to be closed. */
    renew() {
      const former = current
      current = create()
      return former
    },
  }
}

export interface HomeProviderDeps extends Archives {
  readonly options: MemoryProviderOptions
  readonly owner: OwnerId | undefined
  readonly clock: Clock
  readonly createId: () => string
  /** False: nothing that waits for the provider is stored. */
  readonly keepText: boolean
  readonly background?: ((task: Promise<unknown>) => void) | undefined
  readonly emit: (event: ProviderEvent) => void
  /** Called with what background work throws, a defect. */
  readonly crashed: (cause: unknown) => void
}

/** Milliseconds for a provider to release what it has open. */
const RELEASE_LIMIT_MS = 1_000

const DELIVERY_LIMIT_MS = 5_000

export interface ConnectedProvider {
  /** Undefined without a provider. It is opened at its first use. */
  readonly connection: ProviderConnection | undefined
  /** Hands over a change of memory, behind the work that made it. */
  memoryChanged(change: EntryChanges & { readonly target: MemoryTarget; readonly sessionId?: string }): void
  /** True if nothing is unsaved and no hook runs. */
  readonly idle: boolean
  /** Resolves when everything that waits has been tried once. */
  settled(): Promise<void>
  /** Delivers what this home has stored for the provider, for some seconds; the rest is delivered behind. */
  deliver(): Promise<void>
  /** Shuts the provider down, until it is used again. */
  release(): void
  /** Tries to deliver what waits, for at most `limitMs`, then shuts the provider down. */
  close(limitMs: number): Promise<void>
}

export const connectProvider = (deps: HomeProviderDeps): ConnectedProvider => {
  const { options, owner, storage, clock, createId, keepText, background, emit, crashed } = deps
  const { provider, providerTimeoutMs, recallChars } = options
  const tasks = new BackgroundTasks({ background, onCrash: crashed, onBackgroundFailure: crashed })
  let closing: Promise<unknown> = Promise.resolve()
  let closed = false
  const connect = (given: MemoryProvider): ProviderConnection =>
    createProviderConnection({
      provider: ofOwner(given, owner, () => closing),
      home: {
        owner,
        folder: '',
        storage,
        archived: () =>
          withLate(
            'The code that reads archives',
            () => import('./read-archived.ts'),
            ({ readArchived }) => readArchived(deps),
          ),
      },
      clock,
      createId,
      timeoutMs: providerTimeoutMs,
      recallChars,
      keepText,
      emit,
      run: (work) => tasks.run(work),
    })
  const connection = provider && renewable(() => connect(provider))
  return {
    connection,
    memoryChanged(change) {
      if (connection) tasks.run(() => connection.memoryWritten(change))
    },
    get idle() {
      return tasks.idle && connection?.canClose !== false
    },
    async settled() {
      await tasks.settled()
      await connection?.settled()
    },
    async deliver() {
      const left = connection && (await storage.list(PROVIDER_FOLDER))
      if (left?.ok && left.value.length > 0) await withinLimit(connection?.deliver() ?? Promise.resolve(), DELIVERY_LIMIT_MS)
    },
    release() {
      if (connection && !closed) closing = connection.renew().close(RELEASE_LIMIT_MS)
    },
    async close(limitMs) {
      closed = true
      await Promise.all([connection?.close(limitMs), closing])
    },
  }
}

export interface EraseInProviderDeps extends Pick<HomeProviderDeps, 'options' | 'clock' | 'createId' | 'emit' | 'crashed'> {
  readonly owner: OwnerId
}

/** Erases everything of one owner in the provider, when the owner's documents are gone. Undefined without a provider. */
export const eraseInProvider = async (deps: EraseInProviderDeps): Promise<ErasedByProvider | undefined> => {
  const nothing = {
    storage: inMemoryBackend(),
    memory: () => ({ archived: async () => ok([]) }),
    skills: { listArchived: async () => ok({ entries: [], problems: [] }) },
  }
  const { connection } = connectProvider({ ...deps, ...nothing, keepText: false })
  if (!connection) return undefined
  const { name } = connection
  const erased = await connection.forget({ kind: 'all', dryRun: false })
  await connection.close(RELEASE_LIMIT_MS)
  return erased.ok ? { name, items: erased.value } : { name, items: 0, remaining: erased.error.message }
}
