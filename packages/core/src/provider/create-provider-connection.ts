/** The connection of a home to its memory provider. Its code is loaded at the first use, so that it costs nothing before. */
import { HermesError } from '../shared/hermes-error.ts'
import { withLate } from '../shared/load-late.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { providerFault } from './check-provider.ts'
import type { OpenConnection } from './open-connection.ts'
import type { ProviderConnection, ProviderConnectionOptions } from './provider-connection.ts'

/** Throws a TypeError for an object that is not a memory provider. */
export const createProviderConnection = (options: ProviderConnectionOptions): ProviderConnection => {
  const { provider, clock, emit } = options
  const fault = providerFault(provider)
  if (fault !== undefined) throw new TypeError(`'memory.provider' is not a memory provider: ${fault}.`)
  const { name, systemPromptBlock = '', tools = [] } = provider

  let open: OpenConnection | undefined
  /** Ends when the released connections are closed. */
  let former: Promise<unknown> = Promise.resolve()
  let closed = false
  /** Calls that wait for the code. */
  let waiting = 0

  const load = async (): Promise<{ readonly connection: OpenConnection }> => {
    const code = await import('./open-connection.ts')
    open ??= new code.OpenConnection(options, former)
    return { connection: open }
  }

  const begin = async <T>(use: (connection: OpenConnection) => T | Promise<T>, connection: OpenConnection): Promise<Result<T>> => {
    try {
      return ok(await use(connection))
    } catch (cause) {
      return err(new HermesError('provider', `The connection to memory provider '${name}' failed: ${String(cause)}`, { cause }))
    }
  }

  /** Never rejects: a failure is an event. Calls are passed on in their order. */
  const call = async <T>(operation: string, use: (connection: OpenConnection) => T | Promise<T>): Promise<Result<T>> => {
    if (closed) return err(new HermesError('provider', `Memory provider '${name}' was closed. Open the home again, then try again.`))
    waiting++
    try {
      const done = open
        ? await begin(use, open)
        : await withLate('The code of memory providers', load, ({ connection }) => begin(use, connection))
      if (!done.ok) emit({ type: 'provider-failed', at: clock(), provider: name, operation, error: done.error })
      return done
    } finally {
      waiting--
    }
  }

  const orElse = async <T>(otherwise: T, called: Promise<Result<T>>): Promise<T> => {
    const done = await called
    return done.ok ? done.value : otherwise
  }
  const done = (called: Promise<Result<void>>): Promise<void> => orElse(undefined, called)

  return {
    name,
    systemPromptBlock,
    tools: tools.map((tool) => ({ ...tool })),
    turnStarted: (turn) => void call('onTurnStart', (connection) => connection.turnStarted(turn)),
    recall: (query) =>
      orElse(
        [],
        call('prefetch', (connection) => connection.recall(query)),
      ),
    turnFinished: (turn) => done(call('syncTurn', (connection) => connection.turnFinished(turn))),
    memoryWritten: (write) => done(call('onMemoryWrite', (connection) => connection.memoryWritten(write))),
    sessionSwitched: (change) => done(call('onSessionSwitch', (connection) => connection.sessionSwitched(change))),
    sessionEnded: (sessionId) => done(call('onSessionEnd', (connection) => connection.sessionEnded(sessionId))),
    beforeCompress: (sessionId, messages) =>
      orElse(
        '',
        call('onPreCompress', (connection) => connection.beforeCompress(sessionId, messages)),
      ),
    callTool: (tool, input, sessionId) =>
      orElse(
        { success: false, error: 'The memory provider does not work at the moment. Go on without it.' },
        call(`tool:${tool}`, (connection) => connection.callTool(tool, input, sessionId)),
      ),
    async forget(target) {
      const forgotten = await call('forget', (connection) => connection.forget(target))
      return forgotten.ok ? forgotten.value : forgotten
    },
    get idle() {
      return waiting === 0 && (open?.idle ?? true)
    },
    get canClose() {
      return waiting === 0 && (open?.canClose ?? true)
    },
    async settled() {
      if (open || waiting > 0) await call('settled', (connection) => connection.settled())
    },
    deliver: () => done(call('settled', (connection) => connection.deliver())),
    release(limitMs) {
      if (open && !closed) former = Promise.all([former, open.close(limitMs)])
      open = undefined
    },
    async close(limitMs) {
      const isUsed = open !== undefined || waiting > 0
      const closing = closed || !isUsed ? undefined : call('shutdown', (connection) => connection.close(limitMs))
      closed = true
      await closing
      await former
    },
  }
}
