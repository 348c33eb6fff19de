/** The connection of a home to its memory provider. The code that does its work is loaded at the first use. */
import { HermesError } from '../shared/hermes-error.ts'
import { withLazy } from '../shared/lazy.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { providerFault } from './check-provider.ts'
import type { ConnectionWork } from './connection-work.ts'
import type { ProviderForgetTarget, ProviderTool } from './memory-provider.ts'
import type { ProviderConnectionOptions } from './provider-options.ts'

/** The arguments of a method of the open connection. */
type Given<Name extends keyof ConnectionWork> = ConnectionWork[Name] extends (...given: infer All) => unknown ? All : never

/** Every hook is guarded and timed, so that a session never has to handle its failures: no method throws or rejects. */
export class ProviderConnection {
  readonly name: string
  readonly tools: readonly ProviderTool[]
  readonly #options: ProviderConnectionOptions
  #open: ConnectionWork | undefined
  /** Ends when the released connections are closed. */
  #former: Promise<unknown> = Promise.resolve()
  #closed = false
  #hasReported = false
  /** Calls that wait for the code. */
  #waiting = 0

  /** Throws a TypeError for an object that is not a memory provider. */
  constructor(options: ProviderConnectionOptions) {
    const fault = providerFault(options.provider)
    if (fault !== undefined) throw new TypeError(`'memory.provider' is not a memory provider: ${fault}.`)
    const { name, tools = [] } = options.provider
    this.name = name
    this.tools = tools.map((tool) => ({ ...tool }))
    this.#options = options
  }

  /** False: the provider mixes projects, so it is told and asked nothing in a session of this one. */
  serves(project: string | undefined): boolean {
    return project === undefined || this.#options.provider.projects === true
  }

  /** Says once that sessions of a project go without the provider. */
  reportMixing(): void {
    if (this.#hasReported) return
    this.#hasReported = true
    const { emit, clock } = this.#options
    const message = `Memory provider '${this.name}' does not keep projects apart, so sessions of a project go without it: nothing is recalled or stored there. Choose one that does, such as @hermes/recall.`
    emit({ type: 'provider-failed', at: clock(), provider: this.name, operation: 'projects', error: new HermesError('provider', message) })
  }

  /** What the provider adds to the system prompt of a session of this project; `''` for nothing. */
  promptBlock(project: string | undefined): string {
    return this.serves(project) ? (this.#options.provider.systemPromptBlock ?? '') : ''
  }

  /** Nothing waits for it. */
  turnStarted(...given: Given<'turnStarted'>): void {
    void this.#use('onTurnStart', (open) => open.turnStarted(...given))
  }

  /** Texts for the user's words, cleaned of fences, the most relevant first; none if the provider failed or is skipped. At most `recallChars` together. */
  async recall(...given: Given<'recall'>): Promise<readonly string[]> {
    const recalled = await this.#use('prefetch', (open) => open.recall(...given))
    return recalled.ok ? recalled.value : []
  }

  /** Resolves when the turn is stored for delivery; it is delivered behind. */
  async turnFinished(...given: Given<'turnFinished'>): Promise<void> {
    await this.#use('syncTurn', (open) => open.turnFinished(...given))
  }

  async memoryWritten(...given: Given<'memoryWritten'>): Promise<void> {
    await this.#use('onMemoryWrite', (open) => open.memoryWritten(...given))
  }

  async sessionSwitched(...given: Given<'sessionSwitched'>): Promise<void> {
    await this.#use('onSessionSwitch', (open) => open.sessionSwitched(...given))
  }

  async sessionEnded(...given: Given<'sessionEnded'>): Promise<void> {
    await this.#use('onSessionEnd', (open) => open.sessionEnded(...given))
  }

  /** `''` for nothing. */
  async beforeCompress(...given: Given<'beforeCompress'>): Promise<string> {
    const kept = await this.#use('onPreCompress', (open) => open.beforeCompress(...given))
    return kept.ok ? kept.value : ''
  }

  /** An answer for the model, also for a failure. */
  async callTool(...given: Given<'callTool'>): Promise<Readonly<Record<string, unknown>>> {
    const answered = await this.#use(`tool:${given[0].name}`, (open) => open.callTool(...given))
    return answered.ok ? answered.value : { success: false, error: 'The memory provider does not work at the moment. Go on without it.' }
  }

  /** Also removes what waits for delivery. The number of things concerned, in the provider and waiting. Fails with `provider` if the hook fails or is missing. */
  async forget(target: ProviderForgetTarget): Promise<Result<number>> {
    const forgotten = await this.#use('forget', (open) => open.forget(target))
    return forgotten.ok ? forgotten.value : forgotten
  }

  /** True if no hook runs, and closing loses nothing: what waits for a later attempt is stored. */
  get canClose(): boolean {
    return this.#waiting === 0 && (this.#open?.canClose ?? true)
  }

  /** Resolves when everything that waits has been tried once. */
  async settled(): Promise<void> {
    if (this.#open || this.#waiting > 0) await this.#use('settled', (open) => open.settled())
  }

  /** Delivers what other processes have left, also if the provider was not used before. Resolves as `settled`. */
  async deliver(): Promise<void> {
    await this.#use('settled', (open) => open.deliver())
  }

  /** As `close`, until the next call, which opens the provider again. Returns at once. */
  release(limitMs: number): void {
    if (this.#open && !this.#closed) this.#former = Promise.all([this.#former, this.#open.close(limitMs)])
    this.#open = undefined
  }

  /** Tries to deliver what waits, for at most `limitMs` (0: nothing more is delivered), then shuts the provider down. What was not delivered stays stored. */
  async close(limitMs: number): Promise<void> {
    const isUsed = !this.#closed && (this.#open !== undefined || this.#waiting > 0)
    const closing = isUsed ? this.#use('shutdown', (open) => open.close(limitMs)) : undefined
    this.#closed = true
    await closing
    await this.#former
  }

  /** Never rejects: a failure is an event. Calls are passed on in their order. */
  async #use<T>(operation: string, use: (open: ConnectionWork) => T | Promise<T>): Promise<Result<T>> {
    const { name } = this
    if (this.#closed) return err(new HermesError('provider', `Memory provider '${name}' was closed. Open the home again, then try again.`))
    const call = async (open: ConnectionWork): Promise<Result<T>> => {
      try {
        return ok(await use(open))
      } catch (cause) {
        return err(new HermesError('provider', `The connection to memory provider '${name}' failed: ${String(cause)}`, { cause }))
      }
    }
    this.#waiting++
    const done = await (this.#open ? call(this.#open) : withLazy('The code of memory providers', () => this.#load(), call))
    this.#waiting--
    const { emit, clock } = this.#options
    if (!done.ok) emit({ type: 'provider-failed', at: clock(), provider: name, operation, error: done.error })
    return done
  }

  async #load(): Promise<ConnectionWork> {
    const code = await import('./connection-work.ts')
    this.#open ??= new code.ConnectionWork(this.#options, this.#former)
    return this.#open
  }
}
