/** Homes of a growing size, and what is done in them. */
import { createHermes, type Hermes, type Session } from '../../packages/core/src/index.ts'
import type { StorageBackend, StoredDocument } from '../../packages/core/src/storage/storage-backend.ts'
import type { Operation } from './axis.ts'

export const NOW = Date.UTC(2026, 5, 1)

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Stores a document without a call. */
export const put = (documents: Map<string, StoredDocument>, path: string, text: string): void => {
  documents.set(path, { bytes: encode(text) })
}

export const note = (index: number): string => `Note ${index}: service ${(index * 7_919) % 100_003} is owned by team ${index % 13}.`

const turn = (index: number) => ({
  messages: [
    { role: 'user' as const, text: `Question ${index}: how do I deploy service ${index * 7}, and who owns it?` },
    { role: 'assistant' as const, text: `Answer ${index}: with the pipeline of its repository; the team is in its readme.` },
  ],
})

// A turn takes a minute, as with a person: a session that is idle for half an hour is reviewed and set aside.
const MINUTE_MS = 60_000
let now = NOW
export const clock = () => now
export const passMinute = (): void => {
  now += MINUTE_MS
}

/** Reviews run, and find nothing to remember. Closing it would close the storage. */
export const openHome = (storage: StorageBackend): Hermes =>
  createHermes({ storage, clock, review: { model: async () => '{"proposals":[]}' }, memory: { memoryCharLimit: 32_768 } })

/** As an adapter does: the tools are offered first, so that the prompt has the catalogue of skills. */
export const startSession = async (hermes: Hermes, id: string): Promise<Session> => {
  const session = hermes.session(id)
  session.offerTools()
  await session.systemBlock()
  return session
}

export const play = async (hermes: Hermes, session: string, from: number, count: number): Promise<void> => {
  const handle = await startSession(hermes, session)
  for (let index = from; index < from + count; index++) {
    passMinute()
    handle.recordTurn(turn(index))
    await handle.settled()
  }
}

export const start = (storage: StorageBackend): Operation => ({
  name: 'session start in a new process',
  act: async (round) => {
    const hermes = openHome(storage)
    await startSession(hermes, `new-${round}`)
    await hermes.settled()
  },
})
