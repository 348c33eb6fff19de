/** Whose run it is: the context of a run does not reach its model, so it goes with the asynchronous context instead. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { callPlace, type HermesCall, type HermesTarget, type HermesWarningListener, identifyCall } from '@hermes/core/adapter'

/** What a run states about itself. */
export type HermesRun = HermesCall

const KEY = Symbol.for('@hermes/openai-agents run')

// One for all copies of this module, as an app may load it as an ES module and as CommonJS.
const shared = globalThis as { [KEY]?: AsyncLocalStorage<unknown> }
const runs = shared[KEY] ?? new AsyncLocalStorage<unknown>()
shared[KEY] = runs

/**
 * Runs `body` for one user and session: `runWithHermes({ user, sessionId }, () => run(agent, input))`. Holds for every model call that `body` starts, those of
 * hand-offs, sub-agents and streams included. Answers what `body` answers. A wrong `hermesRun` never makes a call fail: it goes without memory, and the host is warned.
 */
export const runWithHermes = <Answer>(hermesRun: HermesRun, body: () => Answer): Answer => runs.run(hermesRun, body)

/** The run that the caller is in; undefined outside one. */
export const currentRun = (): unknown => runs.getStore()

const PLACE = callPlace('runWithHermes', (keys) => `Wrap the run: runWithHermes({ ${keys} }, () => run(agent, input)).`)

/** See `identifyCall`. */
export const sessionOfRun = (target: HermesTarget, run: unknown, warn: HermesWarningListener) => identifyCall(target, run, PLACE, warn)
