/** The homes in the folder of a server. */
import { createHermesHomes, type HermesHomes } from '@hermes/core'
import { storageReviewQueue } from '@hermes/core/queue'
import type { Context } from '../../context.ts'

/** Read errors are warnings. */
export const openHomes = ({ root, clock, world, warn }: Context): HermesHomes =>
  createHermesHomes({
    storage: root,
    clock,
    createId: world.createId,
    actor: 'person',
    // An owner who is erased leaves the queue too.
    review: { queue: storageReviewQueue({ storage: root, clock }) },
    onEvent: (event) => {
      if (event.type === 'storage-failed') warn(event.error.message)
    },
  })
