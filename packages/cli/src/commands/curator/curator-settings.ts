/** The curator's options from config.yaml. */

import { toHermesOptions } from '@hermes/core/config'
import type { CuratorSettings } from '@hermes/core/curator'
import type { Context } from '../../context.ts'

export const curatorSettings = ({ config }: Context): CuratorSettings => (config.ok ? toHermesOptions(config.value.config).curator : {})
