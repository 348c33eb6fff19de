/** Helpers of the session tests: a home over a storage, with an advancing clock and generated ids. */
import { createHermes } from '../../src/create-hermes.ts'
import type { HermesOptions } from '../../src/hermes-options.ts'
import { MemoryStore } from '../../src/memory/memory-store.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import type { Session } from '../../src/session/session.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

export const user = (text: string): TurnMessage => ({ role: 'user', text })
export const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })

const HOUR = 3_600_000

export const proposing =
  (...facts: readonly string[]): HostModel =>
  async () =>
    JSON.stringify({
      proposals: facts.map((content) => ({ target: 'user', op: { action: 'add', content }, rationale: 'said', score: 0.9, evidence: [] })),
    })

export const openHome = (storage: StorageBackend, options: Partial<HermesOptions> = {}) => {
  const events: HermesEvent[] = []
  let ids = 0
  let now = HOUR
  const prefix = Math.trunc(HOUR).toString(36)
  const hermes = createHermes({
    storage,
    clock: () => now++,
    createId: () => `${prefix}-${events.length}-${ids++}`,
    onEvent: (event) => events.push(event),
    ...options,
  })
  const typesOf = () => events.map(({ type }) => type)
  return { hermes, events, typesOf }
}

/** One user turn of a host that passes its whole history. */
export const talk = (session: Session, history: TurnMessage[], text: string, model?: HostModel) => {
  history.push(user(text))
  const prompt = [...history]
  session.beginStep(prompt)
  const reply = [assistant(`answer to ${text}`)]
  session.endStep({ prompt, turnFinished: true, calledTools: false, reply, ...(model ? { model } : {}) })
  history.push(...reply)
}

export const remember = async (storage: StorageBackend, content: string) => {
  const stored = await new MemoryStore({ storage }).apply('memory', { action: 'add', content })
  if (!stored.ok) throw stored.error
}
