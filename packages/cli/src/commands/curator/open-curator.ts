/** `hermes.curator` of the home, for verbs that change the library. */
import type { HermesCurator } from '@hermes/core'
import type { Context } from '../../context.ts'
import type { OpenHermesOptions } from '../../open-hermes.ts'

export const openCurator = async (context: Context, { model }: Pick<OpenHermesOptions, 'model'> = {}): Promise<HermesCurator> => {
  const { openHermes } = await import('../../open-hermes.ts')
  return openHermes(context, { model }).curator
}
