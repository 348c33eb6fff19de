/** From what a person wrote into `config.yaml` to the options of `createHermes`. What only the host can make something of stays in the config: the name of the curator's model, and the folders of shared skills. */
import type { HermesConfig } from './hermes-config.ts'

/** Parts of `HermesOptions`; only what the file sets, so that spreading it keeps every default. */
export interface ConfiguredOptions {
  readonly memory: Omit<HermesConfig['memory'], 'nudgeInterval'>
  readonly nudge: { readonly memoryInterval?: number; readonly skillInterval?: number }
  readonly curator: Omit<HermesConfig['curator'], 'reviewModel'>
}

/** `createHermes({ storage, ...toHermesOptions(config) })`. */
export const toHermesOptions = ({
  memory: { nudgeInterval, ...memory },
  skills: { creationNudgeInterval },
  curator: { reviewModel: _, ...curator },
}: HermesConfig): ConfiguredOptions => ({
  memory,
  nudge: {
    ...(nudgeInterval === undefined ? {} : { memoryInterval: nudgeInterval }),
    ...(creationNudgeInterval === undefined ? {} : { skillInterval: creationNudgeInterval }),
  },
  curator,
})
