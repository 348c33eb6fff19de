/** Turns a config into options of `createHermes`, except settings that the host must resolve: the model of the curator and the folders of shared skills. */
import type { HermesConfig } from './hermes-config.ts'

/** Parts of `HermesOptions` that the file sets. Spreading it keeps all other defaults. */
export interface ConfiguredOptions {
  readonly memory: Omit<HermesConfig['memory'], 'nudgeInterval'>
  readonly nudge: { readonly memoryInterval?: number; readonly skillInterval?: number }
  readonly curator: Omit<HermesConfig['curator'], 'reviewModel'>
}

/** Use: `createHermes({ storage, ...toHermesOptions(config) })`. */
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
