/** From what a person wrote into `config.yaml` to the options of `createHermes`. The curator's settings stay in `config.curator`. */
import type { HermesConfig } from './hermes-config.ts'

/** Parts of `HermesOptions`; only what the file sets, so that spreading it keeps every default. */
export interface ConfiguredOptions {
  readonly memory: Omit<HermesConfig['memory'], 'nudgeInterval'>
  readonly nudge: { readonly memoryInterval?: number; readonly skillInterval?: number }
}

/** `createHermes({ storage, ...toHermesOptions(config) })`. */
export const toHermesOptions = ({
  memory: { nudgeInterval, ...memory },
  skills: { creationNudgeInterval },
}: HermesConfig): ConfiguredOptions => ({
  memory,
  nudge: {
    ...(nudgeInterval === undefined ? {} : { memoryInterval: nudgeInterval }),
    ...(creationNudgeInterval === undefined ? {} : { skillInterval: creationNudgeInterval }),
  },
})
