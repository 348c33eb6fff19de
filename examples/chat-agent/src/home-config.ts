/** The `config.yaml` of the home, as options for Hermes. */
import type { StorageBackend } from '@hermes/core'
import { type HermesConfig, readHermesConfig, toHermesOptions } from '@hermes/core/config'
import { UsageError } from '@hermes/example-chat-parts/read-flags'

const NOTHING: HermesConfig = { memory: {}, skills: {}, curator: { backup: {} } }

/** A file that says something wrong stops the chat, with a `UsageError`; a home that cannot be read at all does not, as with all of memory. */
export const readHomeConfig = async (storage: StorageBackend) => {
  const reading = await readHermesConfig(storage)
  const { config, warnings } = reading.ok ? reading.value : { config: NOTHING, warnings: [] }
  const told = warnings.map(({ line, key, message }) => `config.yaml, line ${line}: '${key}' ${message}${message.endsWith('?') ? '' : '.'}`)
  if (!reading.ok) {
    const { code, message, details } = reading.error
    // With a `systemCode` it is the disk that refuses, not the file that is wrong.
    if (code === 'invalid' || (code === 'unreadable' && details['systemCode'] === undefined)) throw new UsageError(message, '')
    told.push(`config.yaml has no effect: ${message}`)
  }
  const shared = { skills: config.skills.shared ?? [], notes: config.memory.shared ?? [] }
  /** `shared`: folders that are read and never changed. `warnings`: to be told once, at the start. */
  return { ...toHermesOptions(config), memoryProvider: config.memory, shared, warnings: told }
}

export type HomeConfig = Awaited<ReturnType<typeof readHomeConfig>>
