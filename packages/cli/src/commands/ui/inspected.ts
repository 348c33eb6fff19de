/** What the inspector shows: the homes of a folder, one home, or what a module of the host exports. */
import type { Hermes, HermesEvent, HermesHomes, HostModel } from '@hermes/core'
import { type Failure, isFailure, usage } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { holdsOwners } from '../../home-folder.ts'
import { loadConfiguredProvider, openHermes, openHomes, openWithProvider } from '../../open-hermes.ts'
import { loadHostModule } from '../host-module.ts'

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
  /** Who changes it. Default: a person. */
  readonly actor?: 'host'
  /** Reviews what is given. Default: nothing is. */
  readonly reviewer?: HostModel | undefined
}

const openModule = async (path: string, { user, tenant }: InspectedArgs, { world }: Context): Promise<Inspected | Failure> => {
  const exported = await loadHostModule<Hermes | HermesHomes>(path, ['settled', 'close'])
  if (isFailure(exported)) return exported
  if (user !== undefined && !('for' in exported))
    return usage(`'${path}' exports one home, that of nobody in particular: leave out --user.`)
  const target = user !== undefined && 'for' in exported ? exported.for({ user, tenant }) : exported
  const close = async () => {
    await exported.close()
    world.endSoon()
  }
  return { target, label: path, close }
}

/** A change is reported to the memory provider of config.yaml. */
export const openInspected = async (
  args: InspectedArgs,
  context: Context,
  onEvent: (event: HermesEvent) => void,
): Promise<Inspected | Failure> => {
  const { user, tenant, module, write, actor, reviewer } = args
  if (module !== undefined) return openModule(module, args, context)
  const target =
    user === undefined && holdsOwners(context.home)
      ? openHomes(context, { onEvent, actor, reviewer, provider: write ? await loadConfiguredProvider(context) : undefined })
      : await (write ? openWithProvider : openHermes)(context, { onEvent, actor, reviewer })
  const whose = user === undefined ? '' : ` · ${tenant === undefined ? user : `${user} of ${tenant}`}`
  // Closing it closes the storage too, which belongs to the caller.
  return { target, label: `${context.home}${whose}`, close: () => target.settled() }
}
