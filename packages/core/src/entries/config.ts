/** The settings of a home: config.yaml. */

export type { HermesConfig } from '../config/hermes-config.ts'
export { type ConfiguredOptions, toHermesOptions } from '../config/hermes-config.ts'
export type { ConfigNote, ConfigReading, ConfigSetting } from '../config/parse-hermes-config.ts'
export { readHermesConfig } from '../config/parse-hermes-config.ts'
