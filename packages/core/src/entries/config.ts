/** The settings of a home: config.yaml. */
export type { ConfigNote } from '../config/config-note.ts'
export type { HermesConfig } from '../config/hermes-config.ts'
export type { ConfigReading, ConfigSetting } from '../config/parse-hermes-config.ts'
export { readHermesConfig } from '../config/read-hermes-config.ts'
export { type ConfiguredOptions, toHermesOptions } from '../config/to-hermes-options.ts'
