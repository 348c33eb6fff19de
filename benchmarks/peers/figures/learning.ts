/** What learning costs beside the conversation of `prefix.ts`: calls of models that extract, review or condense, by 10 turns. */
import { type Context, forEach, type Outcomes } from '../harness/context.ts'
import { peersOf } from '../peers.ts'
import { conversationOf, turnsOf } from './prefix.ts'

export interface Learning {
  readonly turns: number
  /** All others are per ten turns. */
  readonly calls: number
  /** Characters that models were sent, and that they answered with. */
  readonly received: number
  readonly given: number
  /** Characters that were sent to be embedded. */
  readonly embedded: number
}

const AT_ONCE = 4
const PER = 10

export const measureLearning = (context: Context): Promise<Outcomes<Learning>> =>
  forEach(
    peersOf('learning', context.peers),
    async (peer) => {
      const turns = turnsOf(context)
      const { calls, received, given, embedded } = (await conversationOf(peer, context)).background
      const ofTen = (amount: number): number => Math.round((amount * PER) / turns)
      return { turns, calls: (calls * PER) / turns, received: ofTen(received), given: ofTen(given), embedded: ofTen(embedded) }
    },
    AT_ONCE,
  )
