/** What the inspector shows: the homes of a folder, one home, or what a module of the host exports. */
import { createHermesHomes, type Hermes, type HermesEvent, type HermesHomes } from '@hermes/core'
import { toHermesOptions } from '@hermes/core/config'
import type { MemoryProvider } from '@hermes/core/provider'
import type { Failure } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { holdsOwners } from '../../home-folder.ts'
import { loadConfiguredProvider, openHermes, openWithProvider } from '../../open-hermes.ts'
import { loadHostModule } from '../host-module.ts'
import { sharedSkills } from '../skills/shared-skills.ts'

export interface Inspected {
  readonly target: Hermes | HermesHomes
  /** Shown on the page. */
  readonly label: string
  close(): Promise<void>
}

export interface InspectedArgs {
  readonly user: string | undefined
  readonly tenant: string | undefined
  readonly module: string | undefined
  /** Whether the inspector may change something. */
  readonly write: boolean
}

export const isFailure = (opened: Inspected | Failure): opened is Failure => 'code' in opened

const openModule = async (
  path: string,
  { user, tenant, world }: Pick<InspectedArgs, 'user' | 'tenant'> & Pick<Context, 'world'>,
): Promise<Inspected | Failure> => {
  const loaded = await loadHostModule(path, ['settled', 'close'])
  if ('failure' in loaded) return loaded.failure
  const exported = loaded.target as Hermes | HermesHomes
  const target = user !== undefined && 'for' in exported ? exported.for({ user, tenant }) : exported
  const close = async () => {
    await exported.close()
    world.endSoon()
  }
  return { target, label: path, close }
}

const openHomes = (context: Context, onEvent: (event: HermesEvent) => void, provider: MemoryProvider | undefined): HermesHomes => {
  const { root, home, clock, config, world, warn } = context
  const options = config.ok ? toHermesOptions(config.value.config) : undefined
  return createHermesHomes({
    ...options,
    memory: { ...options?.memory, ...(provider ? { provider } : {}) },
    skills: { shared: sharedSkills({ config, home }) },
    storage: root,
    clock,
    createId: world.createId,
    actor: 'person',
    onEvent: (event) => {
      if (event.type === 'storage-failed' || event.type === 'provider-failed') warn(event.error.message)
      onEvent(event)
    },
  })
}

/** A change is told to the memory provider of config.yaml. */
const openShared = async (context: Context, onEvent: (event: HermesEvent) => void, write: boolean): Promise<HermesHomes> => {
  const provider = write ? await loadConfiguredProvider(context) : undefined
  const homes = openHomes(context, onEvent, provider)
  if (provider) context.atEnd(() => homes.close())
  return homes
}

export const openInspected = async (
  { user, tenant, module, write }: InspectedArgs,
  context: Context,
  onEvent: (event: HermesEvent) => void,
): Promise<Inspected | Failure> => {
  if (module !== undefined) return openModule(module, { user, tenant, world: context.world })
  const isShared = user === undefined && holdsOwners(context.home)
  const target = isShared ? await openShared(context, onEvent, write) : await (write ? openWithProvider : openHermes)(context, { onEvent })
  const whose = user === undefined ? '' : ` · ${tenant === undefined ? user : `${user} of ${tenant}`}`
  // Closing it closes the storage too, which belongs to the caller.
  return { target, label: `${context.home}${whose}`, close: () => target.settled() }
}
