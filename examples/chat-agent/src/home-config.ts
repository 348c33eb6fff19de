/** The `config.yaml` of the home, as options for Hermes. */

import type { StorageBackend } from '@hermes/core'
import { type HermesConfig, readHermesConfig, toHermesOptions } from '@hermes/core/config'

const NOTHING: HermesConfig = { memory: {}, skills: {}, curator: { backup: {} } }

const toHomeConfig = (config: HermesConfig, warnings: readonly string[]) => ({
  ...toHermesOptions(config),
  memoryProvider: config.memory,
  /** Folders of skills that are read and never changed. */
  sharedSkills: config.skills.shared ?? [],
  /** To be told once, at the start. */
  warnings,
})

export type HomeConfig = ReturnType<typeof toHomeConfig>

/** A file that says something wrong stops the chat; a home that cannot be read at all does not, as with all of memory. */
export const readHomeConfig = async (storage: StorageBackend): Promise<HomeConfig | { readonly problem: string }> => {
  const reading = await readHermesConfig(storage)
  if (reading.ok) {
    const warnings = reading.value.warnings.map(({ line, key, message }) => `config.yaml, line ${line}: '${key}' ${message}`)
    return toHomeConfig(
      reading.value.config,
      warnings.map((text) => (text.endsWith('?') ? text : `${text}.`)),
    )
  }
  const { code, message, details } = reading.error
  // With a `systemCode` it is the disk that refuses, not the file that is wrong.
  if (code === 'invalid' || (code === 'unreadable' && details['systemCode'] === undefined)) return { problem: message }
  return toHomeConfig(NOTHING, [`config.yaml has no effect: ${message}`])
}
