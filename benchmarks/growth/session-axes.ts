/** What grows with the conversations: the turns of one, and their number. */
import type { StoredDocument } from '../../packages/core/src/storage/storage-backend.ts'
import { type Axis, ROUNDS } from './axis.ts'
import { countedStorage, sumOf } from './counted-storage.ts'
import { openHome, play, start, startSession } from './play-home.ts'

export const turnsOfASession: Axis = {
  name: 'turns of a session',
  sizes: [10, 100, 1_000, 10_000],
  prepare: async (size) => {
    // Small sessions would be far larger after the rounds: each round has a home of its own.
    const homes = Array.from({ length: size < 1_000 ? ROUNDS : 1 }, () => countedStorage(new Map()))
    const open = homes.map(({ storage }) => openHome(storage))
    for (const hermes of open) await play(hermes, 'chat', 0, size)
    const at = (round: number) => {
      const [home, hermes] = [homes[round % homes.length], open[round % homes.length]]
      if (!home || !hermes) throw new RangeError(`There is no home for round ${round}.`)
      return { storage: home.storage, hermes }
    }
    return {
      takeUsage: () => sumOf(homes.map(({ takeUsage }) => takeUsage())),
      operations: [
        {
          name: 'resumed in a new process',
          act: async (round) => {
            const other = openHome(at(round).storage)
            await startSession(other, 'chat')
            await other.settled()
          },
        },
        { name: '10 turns with their review', act: (round) => play(at(round).hermes, 'chat', size + round * 10, 10) },
      ],
      close: async () => {
        for (const hermes of open) await hermes.close()
      },
    }
  },
}

export const sessions: Axis = {
  name: 'sessions',
  sizes: [10, 100, 1_000, 10_000],
  prepare: async (size) => {
    const documents = new Map<string, StoredDocument>()
    const { storage, takeUsage } = countedStorage(documents)
    const hermes = openHome(storage)
    for (let index = 0; index < size; index++) await play(hermes, `chat-${index}`, index, 1)
    return {
      takeUsage,
      operations: [
        start(storage),
        { name: 'first turn of another session', act: (round) => play(hermes, `another-${round}`, round, 1) },
        // The newest, which no review has read yet.
        { name: 'end of a session', act: (round) => hermes.session(`chat-${size - 1 - round}`).end() },
      ],
      close: () => hermes.close(),
    }
  },
}
