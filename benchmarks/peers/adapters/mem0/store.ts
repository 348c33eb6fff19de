/** mem0: a memory for each fact, stored as given (`infer: false`), so that no time of a model is measured; the embedding is a local call. */
import type { OpenStore } from '../../port.ts'
import { openMemory } from './memory.ts'

const ALL = { filters: { user_id: 'person' }, topK: 10_000 }

export const openStore: OpenStore = async (folder) => {
  const memory = openMemory(folder, `${process.env['PEERS_MODEL_URL']}/v1`)
  const list = async () => (await memory.getAll(ALL)).results
  const read = async (): Promise<string> => (await list()).map((each) => each.memory).join('\n')
  const add = async (fact: string) => await memory.add([{ role: 'user', content: fact }], { userId: 'person', infer: false })
  return {
    write: async (fact) => void (await add(fact)),
    read,
    block: async () => `User memories:\n${await read()}`,
    // It has no undo, but keeps the history of each memory, from which an app can write the former text.
    change: async (fact, to) => {
      const id = (await list()).find((each) => each.memory === fact)?.id ?? ''
      if (to === undefined) await memory.delete(id)
      else await memory.update(id, to)
      return async () => {
        const change = (await memory.history(id)).find((each) => each.new_value === (to ?? null) || each.is_deleted === 1)
        if (to === undefined) await add(change.previous_value)
        else await memory.update(id, change.previous_value)
      }
    },
    close: async () => undefined,
  }
}
