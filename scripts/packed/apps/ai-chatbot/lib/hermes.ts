/** The memory of everyone who uses the app, in the app's own database. */
import { createHermesHomes } from '@hermes/core'
import { postgresBackend } from '@hermes/postgres'
import { after } from 'next/server'
import { pool } from '@/lib/db.ts'
import { once } from '@/lib/once.ts'

export const homes = once('homes', () =>
  createHermesHomes({
    storage: postgresBackend(pool),
    background: (task) => after(() => task),
    // 10 is the default.
    nudge: { memoryInterval: 3 },
    onEvent: (event) => {
      if ('error' in event) console.error(`Hermes, ${event.type}: ${event.error.message}`)
    },
  }),
)

/** A guest has become a user: what is remembered of the guest goes to the user, also what no review has read yet. */
export const moveMemory = async (guest: string, user: string): Promise<void> => {
  const home = homes.for(guest)
  await home.settled()
  await home.review({ minTurns: 1 })
  const archive = await home.export()
  if (!archive.ok) throw archive.error
  const imported = await homes.for(user).import(archive.value)
  if (!imported.ok) throw imported.error
  const erased = await homes.erase(guest)
  if (!erased.ok) throw erased.error
}
