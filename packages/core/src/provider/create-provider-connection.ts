/** The connection of a home to its memory provider. Its code is loaded at the first use, so that it costs nothing before. */
import { HermesError } from '../shared/hermes-error.ts'
import { withLate } from '../shared/load-late.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { providerFault } from './check-provider.ts'
import type { MemoryProvider, ProviderForgetTarget, ProviderTool } from './memory-provider.ts'
import type { OpenConnection } from './open-connection.ts'
import type { ProviderConnection, ProviderConnectionOptions } from './provider-connection.ts'

type Given<Method extends 'turnStarted' | 'recall' | 'turnFinished' | 'memoryWritten' | 'sessionSwitched'> = Parameters<
  ProviderConnection[Method]
>[0]

class LateConnection implements ProviderConnection {
  readonly name: string
  readonly systemPromptBlock: string
  readonly tools: readonly ProviderTool[]
  readonly #options: ProviderConnectionOptions
  #open: OpenConnection | undefined
  /** Ends when the released connections are closed. */
  #former: Promise<unknown> = Promise.resolve()
  #closed = false
  /** Calls that wait for the code. */
  #waiting = 0

  constructor(options: ProviderConnectionOptions, { name, systemPromptBlock = '', tools = [] }: MemoryProvider) {
    this.#options = options
    this.name = name
    this.systemPromptBlock = systemPromptBlock
    this.tools = tools.map((tool) => ({ ...tool }))
  }

  get idle(): boolean {
    return this.#waiting === 0 && (this.#open?.idle ?? true)
  }

  get canClose(): boolean {
    return this.#waiting === 0 && (this.#open?.canClose ?? true)
  }

  turnStarted(turn: Given<'turnStarted'>): void {
    void this.#call('onTurnStart', (connection) => connection.turnStarted(turn))
  }

  async recall(query: Given<'recall'>): Promise<readonly string[]> {
    const texts = await this.#call('prefetch', (connection) => connection.recall(query))
    return texts.ok ? texts.value : []
  }

  async turnFinished(turn: Given<'turnFinished'>): Promise<void> {
    await this.#call('syncTurn', (connection) => connection.turnFinished(turn))
  }

  async memoryWritten(write: Given<'memoryWritten'>): Promise<void> {
    await this.#call('onMemoryWrite', (connection) => connection.memoryWritten(write))
  }

  async sessionSwitched(change: Given<'sessionSwitched'>): Promise<void> {
    await this.#call('onSessionSwitch', (connection) => connection.sessionSwitched(change))
  }

  async sessionEnded(sessionId: string): Promise<void> {
    await this.#call('onSessionEnd', (connection) => connection.sessionEnded(sessionId))
  }

  async beforeCompress(sessionId: string, messages: Parameters<ProviderConnection['beforeCompress']>[1]): Promise<string> {
    const kept = await this.#call('onPreCompress', (connection) => connection.beforeCompress(sessionId, messages))
    return kept.ok ? kept.value : ''
  }

  async callTool(tool: string, input: unknown, sessionId: string): Promise<Readonly<Record<string, unknown>>> {
    const done = await this.#call(`tool:${tool}`, (connection) => connection.callTool(tool, input, sessionId))
    return done.ok ? done.value : { success: false, error: 'The memory provider does not work at the moment. Go on without it.' }
  }

  async forget(target: ProviderForgetTarget): Promise<Result<number>> {
    const done = await this.#call('forget', (connection) => connection.forget(target))
    return done.ok ? done.value : done
  }

  async settled(): Promise<void> {
    if (this.#open || this.#waiting > 0) await this.#call('settled', (connection) => connection.settled())
  }

  async deliver(): Promise<void> {
    await this.#call('settled', (connection) => connection.deliver())
  }

  release(limitMs: number): void {
    const released = this.#open
    this.#open = undefined
    if (released && !this.#closed) this.#former = Promise.all([this.#former, released.close(limitMs)])
  }

  async close(limitMs: number): Promise<void> {
    if (this.#closed) return
    if (this.#open || this.#waiting > 0) {
      const closing = this.#call('shutdown', (connection) => connection.close(limitMs))
      this.#closed = true
      await closing
    }
    this.#closed = true
    await this.#former
  }

  async #load(): Promise<{ readonly connection: OpenConnection }> {
    const { OpenConnection } = await import('./open-connection.ts')
    this.#open ??= new OpenConnection(this.#options, this.#former)
    return { connection: this.#open }
  }

  /** Never rejects: a failure is an event. Calls are passed on in their order. */
  async #call<T>(operation: string, use: (connection: OpenConnection) => T | Promise<T>): Promise<Result<T>> {
    if (this.#closed)
      return err(new HermesError('provider', `Memory provider '${this.name}' was closed. Open the home again, then try again.`))
    const begin = async (connection: OpenConnection): Promise<Result<T>> => {
      try {
        return ok(await use(connection))
      } catch (cause) {
        return err(new HermesError('provider', `The connection to memory provider '${this.name}' failed: ${String(cause)}`, { cause }))
      }
    }
    this.#waiting++
    try {
      const load = () => this.#load()
      const done = this.#open
        ? await begin(this.#open)
        : await withLate('The code of memory providers', load, ({ connection }) => begin(connection))
      if (!done.ok) {
        const { emit, clock } = this.#options
        emit({ type: 'provider-failed', at: clock(), provider: this.name, operation, error: done.error })
      }
      return done
    } finally {
      this.#waiting--
    }
  }
}

/** Throws a TypeError for an object that is not a memory provider. */
export const createProviderConnection = (options: ProviderConnectionOptions): ProviderConnection => {
  const fault = providerFault(options.provider)
  if (fault !== undefined) throw new TypeError(`'memory.provider' is not a memory provider: ${fault}.`)
  return new LateConnection(options, options.provider)
}
