/** LangGraph's store on PostgreSQL: an item for each fact. The server runs on this machine; the folder's name is the user. */
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store'
import type { OpenStore } from '../../port.ts'

export const openStore: OpenStore = async (folder) => {
  const store = PostgresStore.fromConnString(process.env['PEERS_POSTGRES_URL'] ?? '')
  await store.setup()
  const namespace = [basename(folder), 'memories']
  const read = async (): Promise<string> => {
    const items = await store.search(namespace, { limit: 10_000 })
    return items.map(({ value }) => value['text']).join('\n')
  }
  return {
    write: (text) => store.put(namespace, randomUUID(), { text }),
    read,
    block: async () => `What you know about the user:\n${await read()}`,
    close: () => store.stop(),
  }
}
