/** The homes in the folder of a server. */
import { createHermesHomes, type HermesHomes } from '@hermes/core'
import type { MemoryProvider } from '@hermes/core/provider'
import { storageReviewQueue } from '@hermes/core/queue'
import type { Context } from '../../context.ts'

/** `provider`: erases what it stored for an owner. Failures are warnings. */
export const openHomes = ({ root, clock, world, warn }: Context, provider?: MemoryProvider): HermesHomes =>
  createHermesHomes({
    storage: root,
    clock,
    createId: world.createId,
    actor: 'person',
    ...(provider ? { memory: { provider } } : {}),
    // An owner who is erased leaves the queue too.
    review: { queue: storageReviewQueue({ storage: root, clock }) },
    onEvent: (event) => {
      if (event.type === 'storage-failed' || event.type === 'provider-failed') warn(event.error.message)
    },
  })
