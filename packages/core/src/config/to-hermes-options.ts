/** From what a person wrote into `config.yaml` to the options of `createHermes`. The name of the curator's model stays in `config.curator`: the host knows what it stands for. */
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
