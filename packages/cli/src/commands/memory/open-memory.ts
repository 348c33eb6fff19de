/** The memory of the home, with the limits of its config.yaml. */
import { type HermesError, MemoryStore } from '@hermes/core'
import { toHermesOptions } from '@hermes/core/config'
import type { Context } from '../../context.ts'

/** What fails beside a change, such as an old backup that stays, is a warning unless told otherwise. */
export const openMemory = (
  { storage, clock, config, warn }: Context,
  onFailure: (error: HermesError) => void = ({ message }) => warn(message),
): MemoryStore =>
  new MemoryStore({
    ...(config.ok ? toHermesOptions(config.value.config).memory : {}),
    storage,
    clock,
    onFailure,
  })

/** For the verbs that write: what they change is in the journal. */
export const openJournalledMemory = async (context: Context): Promise<MemoryStore> => {
  const { openHermes } = await import('../../open-hermes.ts')
  return openHermes(context).memoryStore()
}
