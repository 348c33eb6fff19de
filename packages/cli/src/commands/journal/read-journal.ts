/** The journal and the queue of the home, with a warning for every document that cannot be read. */
import type { Journal, Pending } from '@hermes/core'
import type { Context } from '../../context.ts'

export const openJournal = ({ core, storage, clock, world, warn }: Context): Journal =>
  core.createJournal({ storage, clock, createId: world.createId, onProblem: ({ message }) => warn(message) })

export const openPending = ({ core, storage, clock, warn }: Context): Pick<Pending, 'list'> =>
  core.createPending({ storage, clock, onProblem: ({ message }) => warn(message) })
