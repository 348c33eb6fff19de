/** The connection of a home to its memory provider. Its code is loaded at the first use, so that it costs nothing before. */
import { HermesError } from '../shared/hermes-error.ts'
import { withLate } from '../shared/load-late.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { providerFault } from './check-provider.ts'
import type { ProviderConnectionOptions } from './connection-options.ts'
import type { OpenConnection } from './open-connection.ts'
import type { ProviderConnection } from './provider-connection.ts'

/** Throws a TypeError for an object that is not a memory provider. */
export const createProviderConnection = (options: ProviderConnectionOptions): ProviderConnection => {
  const { provider, clock, emit } = options
  const fault = providerFault(provider)
  if (fault !== undefined) throw new TypeError(`'memory.provider' is not a memory provider: ${fault}.`)
  const { name, systemPromptBlock = '', tools = [] } = provider

  let open: OpenConnection | undefined
  let closed = false
  /** Calls that wait for the code. */
  let waiting = 0

  const failed = (operation: string, error: HermesError) => emit({ type: 'provider-failed', at: clock(), provider: name, operation, error })
  const load = async (): Promise<{ readonly connection: OpenConnection }> => {
    const { openConnection } = await import('./open-connection.ts')
    open ??= openConnection(options)
    return { connection: open }
  }

  /** Never rejects: a failure is an event. Calls are passed on in their order. */
  const call = async <T>(operation: string, use: (connection: OpenConnection) => T | Promise<T>): Promise<Result<T>> => {
    waiting++
    const begin = async (connection: OpenConnection): Promise<Result<T>> => {
      try {
        return ok(await use(connection))
      } catch (cause) {
        return err(new HermesError('provider', `The connection to memory provider '${name}' failed: ${String(cause)}`, { cause }))
      }
    }
    try {
      const done = open ? await begin(open) : await withLate('The code of memory providers', load, ({ connection }) => begin(connection))
      if (!done.ok) failed(operation, done.error)
      return done
    } finally {
      waiting--
    }
  }

  const orElse = <T>(result: Result<T>, otherwise: T): T => (result.ok ? result.value : otherwise)

  return {
    name,
    systemPromptBlock,
    tools: tools.map((tool) => ({ ...tool })),
    turnStarted(turn) {
      if (!closed) void call('onTurnStart', (connection) => connection.turnStarted(turn))
    },
    recall: async (query) => (closed ? [] : orElse(await call('prefetch', (connection) => connection.recall(query)), [])),
    async turnFinished(turn) {
      if (!closed) await call('syncTurn', (connection) => connection.turnFinished(turn))
    },
    async memoryWritten(write) {
      if (!closed) await call('onMemoryWrite', (connection) => connection.memoryWritten(write))
    },
    async sessionSwitched(change) {
      if (!closed) await call('onSessionSwitch', (connection) => connection.sessionSwitched(change))
    },
    async sessionEnded(sessionId) {
      if (!closed) await call('onSessionEnd', (connection) => connection.sessionEnded(sessionId))
    },
    beforeCompress: async (sessionId, messages) =>
      closed ? '' : orElse(await call('onPreCompress', (connection) => connection.beforeCompress(sessionId, messages)), ''),
    async callTool(tool, input, sessionId) {
      const done = closed ? undefined : await call(`tool:${tool}`, (connection) => connection.callTool(tool, input, sessionId))
      return done?.ok ? done.value : { success: false, error: 'The memory provider does not work at the moment. Go on without it.' }
    },
    async forget(target) {
      if (closed) return err(new HermesError('provider', `Memory provider '${name}' was closed. Open the home again, then try again.`))
      const done = await call('forget', (connection) => connection.forget(target))
      return done.ok ? done.value : done
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
    async deliver() {
      if (!closed) await call('settled', (connection) => connection.deliver())
    },
    async close(limitMs) {
      if (closed) return
      closed = true
      if (open || waiting > 0) await call('shutdown', (connection) => connection.close(limitMs))
    },
  }
}
