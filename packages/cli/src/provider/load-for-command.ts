/** Loads a memory provider for one command. */
import type { Context } from '../context.ts'
import { type LoadedProvider, loadProvider, type ProviderSettings } from './load-provider.ts'

/** The command ends even if the provider's code keeps a timer or a connection open. */
export const loadForCommand = ({ home, world, atEnd }: Context, settings: ProviderSettings): Promise<LoadedProvider> => {
  atEnd(async () => world.endSoon())
  return loadProvider(settings, { home })
}
