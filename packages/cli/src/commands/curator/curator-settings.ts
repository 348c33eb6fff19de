/** What config.yaml says of the curator, in the words of core. */
import { type CuratorSettings, toHermesOptions } from '@hermes/core'
import type { Context } from '../../context.ts'

export const curatorSettings = ({ config }: Context): CuratorSettings => (config.ok ? toHermesOptions(config.value.config).curator : {})
