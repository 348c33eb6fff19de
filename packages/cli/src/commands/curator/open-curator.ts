/** `hermes.curator` of the home, for verbs that change the library. Completes an interrupted rollback first and warns about it. */
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
