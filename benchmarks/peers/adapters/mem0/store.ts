/** mem0: a memory for each fact, stored as given (`infer: false`), so that no time of a model is measured; the embedding is a local call. */
import type { OpenStore } from '../../port.ts'
import { openMemory } from './memory.ts'

const ALL = { filters: { user_id: 'person' }, topK: 10_000 }

export const openStore: OpenStore = async (folder) => {
  const memory = openMemory(folder, `${process.env['PEERS_MODEL_URL']}/v1`)
  const read = async (): Promise<string> => (await memory.getAll(ALL)).results.map((each) => each.memory).join('\n')
  return {
    write: async (fact) => void (await memory.add([{ role: 'user', content: fact }], { userId: 'person', infer: false })),
    read,
    block: async () => `User memories:\n${await read()}`,
    close: async () => undefined,
  }
}
