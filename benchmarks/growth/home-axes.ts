/** What grows with what a home or a server stores. */
import { createHermesHomes } from '../../packages/core/src/index.ts'
import { createJournal } from '../../packages/core/src/journal/journal.ts'
import type { StoredDocument } from '../../packages/core/src/storage/storage-backend.ts'
import type { Axis } from './axis.ts'
import { countedStorage } from './counted-storage.ts'
import { clock, NOW, note, openHome, passMinute, play, put, start, startSession } from './play-home.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const entries: Axis = {
  name: 'entries',
  // Not many more fit into the highest limit of a store.
  sizes: [10, 100, 400],
  prepare: async (size) => {
    const { storage, takeUsage } = countedStorage(new Map())
    const hermes = openHome(storage)
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

export const archive: Axis = {
  name: 'archived entries',
  sizes: [10, 100, 1_000, 10_000],
  prepare: async (size) => {
    const { storage, takeUsage } = countedStorage(new Map())
    const hermes = openHome(storage)
    const store = hermes.memoryStore()
    const archiveNote = async (index: number): Promise<void> => {
      // Within ten minutes, the source of a removed entry is kept.
      passMinute()
      const content = note(index)
      const added = await store.apply('memory', { action: 'add', content }, { origin: 'user' })
      if (!added.ok) throw added.error
      const removed = await store.apply('memory', { action: 'remove', oldText: content }, { origin: 'user' })
      if (!removed.ok) throw removed.error
    }
    for (let index = 0; index < size; index++) await archiveNote(index)
    return {
      takeUsage,
      operations: [start(storage), { name: 'an entry added and removed', act: (round) => archiveNote(size + round) }],
      close: () => hermes.close(),
    }
  },
}

export const skills: Axis = {
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
    const hermes = openHome(storage)
    await startSession(hermes, 'first')
    return {
      takeUsage,
      operations: [
        start(storage),
        { name: 'session start, warm', act: (round) => startSession(hermes, `warm-${round}`) },
        { name: '10 turns with their review', act: (round) => play(hermes, 'chat', round * 10, 10) },
      ],
      close: () => hermes.close(),
    }
  },
}

export const journal = (largest: number): Axis => ({
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
        const about = { actor: 'review', kind: 'applied', reason: 'Said by the user.', target: 'memory', op, score: 0.9, origin: 'user' }
        return `${JSON.stringify({ id: crypto.randomUUID(), at: at + nth * 1_000, sessionId: `chat-${nth % 50}`, ...about })}\n`
      })
      put(documents, `journal/${new Date(at).toISOString().slice(0, 10)}.jsonl`, lines.join(''))
    }
    const { storage, takeUsage } = countedStorage(documents)
    const records = createJournal({ storage, clock, createId: () => crypto.randomUUID() })
    const hermes = openHome(storage)
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

export const owners = (largest: number): Axis => ({
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
