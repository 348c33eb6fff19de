/** A simulated process of a home. It can die at any of its writes and then does nothing more. Records what its reviews read. */

import { createHermes } from '../../src/create-hermes.ts'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { observeReviews, type ReviewNote } from '../support/observed-reviews.ts'
import { user } from './open-home.ts'

/** The write at which it dies, counted from 1, and whether that write still takes effect. */
export interface Death {
  readonly atWrite: number
  readonly isWritten: boolean
}

const forever = new Promise<never>(() => {})

/** After the death of the process, none of its calls resolves. */
const mortalStorage = (inner: StorageBackend, death: Death | undefined) => {
  let writes = 0
  let isDead = false
  let tell = () => {}
  const died = new Promise<void>((resolve) => {
    tell = resolve
  })
  const die = () => {
    isDead = true
    tell()
  }
  const alive = <T>(call: () => Promise<T>): Promise<T> => (isDead ? forever : call())
  const mortal = <T>(call: () => Promise<T>): Promise<T> =>
    alive(async () => {
      writes++
      if (writes !== death?.atWrite) {
        const answer = await call()
        return isDead ? forever : answer
      }
      if (death.isWritten) await call()
      die()
      return forever
    })
  const storage: StorageBackend = {
    read: (paths) => alive(() => inner.read(paths)),
    list: (prefix) => alive(() => inner.list(prefix)),
    update: (paths, plan, options) => mortal(() => inner.update(paths, plan, options)),
    close: async () => {},
  }
  return { storage, died, die, isDead: () => isDead, writes: () => writes }
}

export interface HomeProcessOptions extends Partial<HermesOptions> {
  readonly notes: ReviewNote[]
  readonly death?: Death | undefined
  /** The answer of its model. Default: no proposals. */
  readonly answer?: HostModel
}

export const NO_PROPOSALS = '{"proposals": []}'

export const homeProcess = (inner: StorageBackend, { notes, death, answer, ...options }: HomeProcessOptions) => {
  const mortal = mortalStorage(inner, death)
  const observed = observeReviews(mortal.storage, (note) => notes.push(note))
  const events: HermesEvent[] = []
  const model: HostModel = async (request) => {
    notes.push({ kind: 'asks', fence: observed.fence, text: request.messages.map(({ content }) => content).join('\n') })
    return answer ? answer(request) : NO_PROPOSALS
  }
  const hermes = createHermes({
    storage: observed.storage,
    review: { model },
    onEvent: (event) => events.push(event),
    curator: { enabled: false },
    ...options,
  })
  const settled = () => Promise.race([hermes.settled(), mortal.died])
  return {
    hermes,
    events,
    settled,
    ...mortal,
    /** One turn. Returns true if it was acknowledged: it is saved, even if the process dies. */
    async says(sessionId: string, text: string): Promise<boolean> {
      if (mortal.isDead()) return false
      hermes.session(sessionId).recordTurn({ messages: [user(text)] })
      await settled()
      return !mortal.isDead()
    },
    of: <T extends HermesEvent['type']>(type: T) =>
      events.filter((event): event is Extract<HermesEvent, { type: T }> => event.type === type),
  }
}
