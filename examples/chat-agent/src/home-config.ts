/** The `config.yaml` of the home, as options for Hermes. */

import type { StorageBackend } from '@hermes/core'
import { type ConfiguredOptions, type HermesConfig, readHermesConfig, toHermesOptions } from '@hermes/core/config'

export interface HomeConfig extends ConfiguredOptions {
  /** Folders of skills that are read and never changed. */
  readonly sharedSkills: readonly string[]
  /** Name of the model that merges skills. */
  readonly reviewModel: string | undefined
  /** To be told once, at the start. */
  readonly warnings: readonly string[]
}

const NOTHING: HermesConfig = { memory: {}, skills: {}, curator: { backup: {} } }

const toHomeConfig = (config: HermesConfig, warnings: readonly string[]): HomeConfig => ({
  ...toHermesOptions(config),
  sharedSkills: config.skills.shared ?? [],
  reviewModel: config.curator.reviewModel,
  warnings,
})

/** A file that says something wrong stops the chat; a home that cannot be read at all does not, as with all of memory. */
export const readHomeConfig = async (storage: StorageBackend): Promise<HomeConfig | { readonly problem: string }> => {
  const reading = await readHermesConfig(storage)
  if (reading.ok) {
    const { config, warnings } = reading.value
    const tell = ({ line, key, message }: (typeof warnings)[number]) =>
      `config.yaml, line ${line}: '${key}' ${message}${message.endsWith('?') ? '' : '.'}`
    return toHomeConfig(config, warnings.map(tell))
  }
  const { code, message, details } = reading.error
  // With a `systemCode` it is the disk that refuses, not the file that is wrong.
  if (code === 'invalid' || (code === 'unreadable' && details['systemCode'] === undefined)) return { problem: message }
  return toHomeConfig(NOTHING, [`config.yaml has no effect: ${message}`])
}
