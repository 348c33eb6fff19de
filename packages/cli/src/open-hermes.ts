/**
 * The whole loop over the home: writes, approvals and merges pass the same checks as in an agent and are recorded in the journal as a
 * person's. Loaded on demand, since reading commands do not need it.
 */
import { createHermes, createHermesHomes, type Hermes, type HermesEvent, type HermesHomes, type HostModel } from '@hermes/core'
import { toHermesOptions } from '@hermes/core/config'
import type { MemoryProvider } from '@hermes/core/provider'
import { sharedNotes, sharedSkills } from './commands/skills/library.ts'
import type { Context } from './context.ts'

export interface OpenHermesOptions {
  /** Merges skills. Default: none. */
  readonly model?: HostModel | undefined
  /** Makes the home a worker's: this model reviews, and what it writes is not a person's. Default: none. */
  readonly reviewer?: HostModel | undefined
  readonly onEvent?: (event: HermesEvent) => void
  /** Who writes: a program. Default: a person. */
  readonly actor?: 'host' | 'person' | undefined
  /** Default: none. */
  readonly provider?: MemoryProvider | undefined
}

/** Without its storage. A count that could not be written is a warning, and so is a provider that fails. */
const toOptions = (context: Context, { model, reviewer, onEvent = () => {}, actor = 'person', provider }: OpenHermesOptions) => {
  const { clock, config, world, warn } = context
  const options = config.ok ? toHermesOptions(config.value.config) : undefined
  return {
    ...options,
    memory: { ...options?.memory, shared: sharedNotes(context), ...(provider ? { provider } : {}) },
    skills: { shared: sharedSkills(context) },
    curator: { ...options?.curator, ...(model ? { model } : {}) },
    ...(reviewer ? { review: { model: reviewer } } : { actor }),
    clock,
    createId: world.createId,
    onEvent: (event: HermesEvent) => {
      if (event.type === 'storage-failed' || event.type === 'provider-failed') warn(event.error.message)
      onEvent(event)
    },
  }
}

/** Without the provider of config.yaml. */
export const openHermes = (context: Context, options: Omit<OpenHermesOptions, 'provider'> = {}): Hermes =>
  createHermes({ ...toOptions(context, options), storage: context.storage })

/** The homes in the folder of a server. Closing them closes the storage too, which belongs to the caller; a provider must be shut down. */
export const openHomes = (context: Context, options: OpenHermesOptions = {}): HermesHomes => {
  const homes = createHermesHomes({ ...toOptions(context, options), storage: context.root })
  if (options.provider) context.atEnd(() => homes.close())
  return homes
}

/** For commands that erase. */
export const NOT_ERASED = 'What it stored is not erased.'

/** The provider that config.yaml names. A warning says why it is not used, and then `unasked`. */
export const loadConfiguredProvider = async (context: Context, unasked?: string): Promise<MemoryProvider | undefined> => {
  const { config, warn } = context
  if (!config.ok || config.value.config.memory.provider === undefined) return undefined
  const { loadForCommand } = await import('./provider/load-for-command.ts')
  const { provider, warning } = await loadForCommand(context, config.value.config.memory)
  if (warning !== undefined) warn(unasked === undefined ? warning : `${warning} ${unasked}`)
  return provider
}

/** For commands that write or erase memory: the provider of config.yaml takes part, and what waits for it is delivered before the command ends. */
export const openWithProvider = async (
  context: Context,
  { unasked, ...options }: Omit<OpenHermesOptions, 'provider'> & { readonly unasked?: string } = {},
): Promise<Hermes> => {
  const provider = await loadConfiguredProvider(context, unasked)
  if (!provider) return openHermes(context, options)
  // Only the homes of a folder tell the provider whose home it is.
  if (context.owner !== undefined) return openHomes(context, { ...options, provider }).for(context.owner)
  const hermes = createHermes({ ...toOptions(context, { ...options, provider }), storage: context.root })
  context.atEnd(() => hermes.close())
  return hermes
}
