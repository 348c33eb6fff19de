/** `hermes.curator` over the home, for the verbs that change the library: each brings a rollback that was interrupted to its end first, and says so. */
import type { HermesCurator } from '@hermes/core'
import type { Context } from '../../context.ts'
import type { OpenHermesOptions } from '../../open-hermes.ts'
import { tellRecovery } from './settle-rollback.ts'

export const openCurator = async (context: Context, { model }: Pick<OpenHermesOptions, 'model'> = {}): Promise<HermesCurator> => {
  const { openHermes } = await import('../../open-hermes.ts')
  return openHermes(context, {
    model,
    onEvent: (event) => {
      if (event.type === 'rollback-recovered') tellRecovery(event.recovery, context)
    },
  }).curator
}
