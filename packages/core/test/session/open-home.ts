/** Helpers of the session tests: a home over a storage, with an advancing clock and generated ids. */
import {
  createHermes,
  type HermesEvent,
  type HermesOptions,
  type HostModel,
  MemoryStore,
  type Session,
  type StorageBackend,
  type TurnMessage,
} from '../../src/index.ts'

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
