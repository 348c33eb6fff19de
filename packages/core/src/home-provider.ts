/** Connects a home to its memory provider, and to what the provider may read of it. */
import type { Home } from './home.ts'
import { providerFolder } from './homes/owner.ts'
import type { ErasedByProvider } from './homes/owners.ts'
import type { MemoryProvider } from './provider/memory-provider.ts'
import { ProviderConnection } from './provider/provider-connection.ts'
import type { BackgroundTasks } from './session/background-tasks.ts'
import { withinLimit } from './session/within-limit.ts'
import { withLazy } from './shared/lazy.ts'
import { PROVIDER_FOLDER } from './storage/storage-paths.ts'

/** Milliseconds for a provider to release what it has open. */
const RELEASE_LIMIT_MS = 1_000

const DELIVERY_LIMIT_MS = 5_000

export class HomeProvider {
  /** Undefined without a provider. It is opened at its first use. */
  readonly connection: ProviderConnection | undefined
  readonly #home: Home
  readonly #tasks: BackgroundTasks

  constructor(home: Home) {
    this.#home = home
    this.#tasks = home.backgroundTasks()
    const { provider } = home.options.memory
    const connection = provider && this.#connect(provider)
    this.connection = connection
    if (!connection) return
    // Handed over behind the work that changed memory.
    home.listeners.push((event) => {
      if (event.type !== 'memory-changed') return
      if (connection.serves(event.project)) this.#tasks.run(() => connection.memoryWritten(event))
    })
  }

  #connect(provider: MemoryProvider): ProviderConnection {
    const { options, owner, storage, clock, createId, emit } = this.#home
    return new ProviderConnection({
      provider,
      home: {
        owner,
        folder: () => providerFolder(owner),
        storage,
        archived: () =>
          withLazy(
            'The code that reads archives',
            () => import('./read-archived.ts'),
            ({ readArchived }) => readArchived(this.#home),
          ),
      },
      clock,
      createId,
      timeoutMs: options.memory.providerTimeoutMs,
      recallChars: options.memory.recallChars,
      keepText: options.sessions.keepText,
      emit,
      run: (work) => this.#tasks.run(work),
    })
  }

  /** True if nothing is unsaved and no hook runs. */
  get idle(): boolean {
    return this.#tasks.idle && this.connection?.canClose !== false
  }

  /** Resolves when everything that waits has been tried once. */
  async settled(): Promise<void> {
    await this.#tasks.settled()
    await this.connection?.settled()
  }

  /** Delivers what this home has stored for the provider, for some seconds; the rest is delivered behind. */
  async deliver(): Promise<void> {
    const left = this.connection && (await this.#home.storage.list(PROVIDER_FOLDER))
    if (left?.ok && left.value.length > 0) await withinLimit(this.connection?.deliver() ?? Promise.resolve(), DELIVERY_LIMIT_MS)
  }

  /** Shuts the provider down, until it is used again. */
  release(): void {
    this.connection?.release(RELEASE_LIMIT_MS)
  }

  /** Tries to deliver what waits, for at most `limitMs`, then shuts the provider down. */
  async close(limitMs: number): Promise<void> {
    await this.connection?.close(limitMs)
  }
}

/** Erases everything of one owner in the provider, when the owner's documents are gone. Undefined without a provider. `nothing`: a home without documents. */
export const eraseInProvider = async (nothing: Home): Promise<ErasedByProvider | undefined> => {
  const provider = new HomeProvider(nothing)
  if (!provider.connection) return undefined
  const { name } = provider.connection
  const erased = await provider.connection.forget({ kind: 'all', dryRun: false })
  await provider.close(RELEASE_LIMIT_MS)
  return erased.ok ? { name, items: erased.value } : { name, items: 0, remaining: erased.error.message }
}
