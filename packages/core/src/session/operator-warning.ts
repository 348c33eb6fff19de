/** For hosts without an event listener: one console warning for failures that do not pass by themselves. */
import type { HermesErrorCode } from '../shared/hermes-error.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { HermesEvent, HermesEventListener } from './hermes-event.ts'

/** Errors that do not pass by themselves. */
const LASTING: ReadonlySet<HermesErrorCode> = new Set(['unwritable', 'no_space', 'invalid_path', 'io'])

const ADVICE = "Pass the option 'onEvent' to handle this yourself."

const describe = (event: HermesEvent): string | undefined => {
  if (event.type === 'learning-paused')
    return `Hermes: ${event.failures} reviews have failed in a row, so none starts automatically until ${new Date(event.until).toISOString()}. The journal says why: 'hermes journal list'. ${ADVICE}`
  if (event.type === 'provider-paused')
    return `Hermes: the memory provider '${event.provider}' does not work, so nothing is recalled for now: ${event.error.message} ${ADVICE}`
  if (event.type === 'host-failed') return `Hermes: ${event.error.message} ${ADVICE}`
  if (event.type !== 'storage-failed' || !LASTING.has(event.error.code)) return undefined
  return `Hermes cannot use its storage, so nothing new is remembered (${event.operation}): ${event.error.message} ${ADVICE}`
}

// Warnings already given, per storage object: one object is one home across all calls of createHermes.
const warned = new WeakMap<StorageBackend, Set<HermesEvent['type']>>()

/** Warns once per process for each storage and event type. */
export const operatorWarning =
  (storage: StorageBackend): HermesEventListener =>
  (event) => {
    const line = describe(event)
    const before = warned.get(storage) ?? new Set()
    if (line === undefined || before.has(event.type)) return
    warned.set(storage, before.add(event.type))
    // biome-ignore lint/suspicious/noConsole: the host has no listener
    console.warn(line)
  }
