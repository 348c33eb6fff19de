/** The homes in the folder of a server. */
import { createHermesHomes, type HermesHomes } from '@hermes/core'
import type { MemoryProvider } from '@hermes/core/provider'
import type { Context } from '../../context.ts'

/** `provider`: erases what it stored for an owner. Failures are warnings. */
export const openHomes = ({ root, clock, world, warn }: Context, provider?: MemoryProvider): HermesHomes =>
  createHermesHomes({
    storage: root,
    clock,
    createId: world.createId,
    actor: 'person',
    ...(provider ? { memory: { provider } } : {}),
    onEvent: (event) => {
      if (event.type === 'storage-failed' || event.type === 'provider-failed') warn(event.error.message)
    },
  })
