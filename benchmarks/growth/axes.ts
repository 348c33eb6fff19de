/** What grows, and what is measured while it does. */
import { createHermes, createHermesHomes, type Hermes } from '../../packages/core/src/index.ts'
import { createJournal } from '../../packages/core/src/journal/journal.ts'
import type { StorageBackend, StoredDocument } from '../../packages/core/src/storage/storage-backend.ts'
import { type CountedStorage, countedStorage } from './counted-storage.ts'

/** `act` is measured several times; `round` counts them. */
export interface Operation {
  readonly name: string
  readonly act: (round: number) => Promise<unknown>
}

export interface Prepared extends Pick<CountedStorage, 'takeUsage'> {
  readonly operations: readonly Operation[]
  readonly close: () => Promise<void>
}

export interface Axis {
  /** In the plural. */
  readonly name: string
  readonly sizes: readonly number[]
  readonly prepare: (size: number) => Promise<Prepared>
}

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 5, 1)

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

let versions = 0

/** Stores a document without a call. */
const put = (documents: Map<string, StoredDocument>, path: string, text: string): void => {
  documents.set(path, { bytes: encode(text), version: `prepared-${++versions}` })
}

const note = (index: number): string => `Note ${index}: service ${(index * 7_919) % 100_003} is owned by team ${index % 13}.`

const turn = (index: number) => ({
  messages: [
    { role: 'user' as const, text: `Question ${index}: how do I deploy service ${index * 7}, and who owns it?` },
    { role: 'assistant' as const, text: `Answer ${index}: with the pipeline of its repository; the team is in its readme.` },
  ],
})

// A turn takes a minute, as with a person: a session that is idle for half an hour is reviewed and set aside.
const MINUTE_MS = 60_000
let now = NOW
const clock = () => now

/** Reviews run, and find nothing to remember. Closing it would close the storage. */
const open = (storage: StorageBackend): Hermes =>
  createHermes({ storage, clock, review: { model: async () => '{"proposals":[]}' }, memory: { memoryCharLimit: 32_768 } })

const play = async (hermes: Hermes, session: string, from: number, count: number): Promise<void> => {
  const handle = hermes.session(session)
  await handle.systemBlock()
  for (let index = from; index < from + count; index++) {
    now += MINUTE_MS
    handle.recordTurn(turn(index))
    await handle.settled()
  }
}

const start = (storage: StorageBackend): Operation => ({
  name: 'session start in a new process',
  act: async (round) => {
    const hermes = open(storage)
    await hermes.session(`new-${round}`).systemBlock()
    await hermes.settled()
  },
})

const turnsOfASession: Axis = {
  name: 'turns of a session',
  sizes: [10, 100, 1_000, 10_000],
  prepare: async (size) => {
    const { storage, takeUsage } = countedStorage(new Map())
    const hermes = open(storage)
    await play(hermes, 'chat', 0, size)
    return {
      takeUsage,
      operations: [
        { name: '10 turns with their review', act: (round) => play(hermes, 'chat', size + round * 10, 10) },
        {
          name: 'resumed in a new process',
          act: async () => {
            const other = open(storage)
            await other.session('chat').systemBlock()
            await other.settled()
          },
        },
      ],
      close: () => hermes.close(),
    }
  },
}

const sessions: Axis = {
  name: 'sessions',
  sizes: [10, 100, 1_000, 10_000],
  prepare: async (size) => {
    const documents = new Map<string, StoredDocument>()
    const { storage, takeUsage } = countedStorage(documents)
    const hermes = open(storage)
    for (let index = 0; index < size; index++) await play(hermes, `chat-${index}`, index, 1)
    return {
      takeUsage,
      operations: [
        start(storage),
        { name: 'first turn of another session', act: (round) => play(hermes, `another-${round}`, round, 1) },
        { name: 'end of a session', act: (round) => hermes.session(`chat-${round}`).end() },
      ],
      close: () => hermes.close(),
    }
  },
}

const entries: Axis = {
  name: 'entries',
  // More do not fit into the highest limit.
  sizes: [10, 100, 400],
  prepare: async (size) => {
    const { storage, takeUsage } = countedStorage(new Map())
    const hermes = open(storage)
    const store = hermes.memoryStore()
    const ops = Array.from({ length: size }, (_, index) => ({ action: 'add', content: note(index) }) as const)
    const written = await store.apply('memory', ops, { origin: 'user' })
    if (!written.ok) throw written.error
    return {
      takeUsage,
      operations: [
        start(storage),
        {
          name: 'an entry replaced',
          act: async (round) => {
            const op = { action: 'replace', oldText: note(round === 0 ? 0 : size + round - 1), content: note(size + round) } as const
            const replaced = await store.apply('memory', op, { origin: 'user' })
            if (!replaced.ok) throw replaced.error
          },
        },
      ],
      close: () => hermes.close(),
    }
  },
}

const skills: Axis = {
  name: 'skills',
  sizes: [100, 1_000, 10_000],
  prepare: async (size) => {
    const documents = new Map<string, StoredDocument>()
    for (let index = 0; index < size; index++) {
      const name = `skill-${index}`
      const text = `---\nname: ${name}\ndescription: Does the useful thing with number ${index}.\n---\n\n1. Do it.\n`
      put(documents, `skills/category-${index % 20}/${name}/SKILL.md`, text)
    }
    const { storage, takeUsage } = countedStorage(documents)
    const hermes = open(storage)
    await hermes.session('first').systemBlock()
    return {
      takeUsage,
      operations: [
        start(storage),
        { name: 'session start, warm', act: (round) => hermes.session(`warm-${round}`).systemBlock() },
        { name: '10 turns with their review', act: (round) => play(hermes, 'chat', round * 10, 10) },
      ],
      close: () => hermes.close(),
    }
  },
}

const journal = (largest: number): Axis => ({
  name: 'journal records',
  sizes: [1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= largest),
  prepare: async (size) => {
    const documents = new Map<string, StoredDocument>()
    const days = Math.min(365, Math.ceil(size / 20))
    for (let day = 0; day < days; day++) {
      const at = NOW - (days - day) * DAY_MS
      const count = Math.floor(((day + 1) * size) / days) - Math.floor((day * size) / days)
      const lines = Array.from({ length: count }, (_, nth) => {
        const op = { action: 'add', content: note(day * count + nth) }
        const about = { actor: 'review', verdict: 'applied', reason: 'Said by the user.', target: 'memory', op, score: 0.9, origin: 'user' }
        return `${JSON.stringify({ id: crypto.randomUUID(), at: at + nth * 1_000, sessionId: `chat-${nth % 50}`, ...about })}\n`
      })
      put(documents, `journal/days/${new Date(at).toISOString().slice(0, 10)}.jsonl`, lines.join(''))
    }
    const { storage, takeUsage } = countedStorage(documents)
    const records = createJournal({ storage, clock, createId: () => crypto.randomUUID() })
    const hermes = open(storage)
    return {
      takeUsage,
      operations: [
        start(storage),
        { name: '10 turns with their review', act: (round) => play(hermes, 'chat', round * 10, 10) },
        { name: 'newest 20 records', act: () => records.list({ limit: 20 }) },
        {
          name: 'an entry added, with its record',
          act: (round) => hermes.memoryStore().apply('memory', { action: 'add', content: note(round) }, { origin: 'user' }),
        },
      ],
      close: () => hermes.close(),
    }
  },
})

const owners = (largest: number): Axis => ({
  name: 'owners',
  sizes: [1, 100, 10_000, 100_000].filter((size) => size <= largest),
  prepare: async (size) => {
    // One owner is made by the library; the others are copies of that home.
    const documents = new Map<string, StoredDocument>()
    const { storage, takeUsage } = countedStorage(documents)
    const model = async () => '{"proposals":[]}'
    const openHomes = () => createHermesHomes({ storage, clock, review: { model } })
    const first = openHomes()
    await play(first.for('user-0'), 'chat', 0, 1)
    await first.settled()
    for (const [path, document] of [...documents].filter(([each]) => each.includes('user-0')))
      for (let index = 1; index < size; index++)
        put(
          documents,
          path.replaceAll('user-0', `user-${index}`),
          new TextDecoder().decode(document.bytes).replaceAll('user-0', `user-${index}`),
        )
    const homes = openHomes()
    return {
      takeUsage,
      operations: [
        { name: 'first turn of a new owner', act: (round) => play(homes.for(`another-${round}`), 'chat', 0, 1) },
        { name: '10 turns with their review', act: (round) => play(homes.for('user-0'), 'chat', round * 10, 10) },
      ],
      close: () => homes.close(),
    }
  },
})

/** `records` and `people`: the largest journal, and the most owners. */
export const axes = ({ records, people }: { readonly records: number; readonly people: number }): readonly Axis[] => [
  turnsOfASession,
  sessions,
  entries,
  skills,
  journal(records),
  owners(people),
]
