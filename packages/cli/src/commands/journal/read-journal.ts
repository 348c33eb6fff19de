/** The journal and the pending proposals of the home, with a warning for every document that cannot be read. */
import { createJournal, createPending, type Journal, type Pending } from '@hermes/core/journal'
import type { Context } from '../../context.ts'

export const openJournal = ({ storage, clock, world, warn }: Context): Journal =>
  createJournal({ storage, clock, createId: world.createId, onProblem: ({ message }) => warn(message) })

export const openPending = ({ storage, clock, warn }: Context): Pick<Pending, 'list'> =>
  createPending({ storage, clock, onProblem: ({ message }) => warn(message) })
