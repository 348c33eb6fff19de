/** The memory server of MCP: one entity, the user, and an observation for each fact. */
import type { OpenStore } from '../../port.ts'
import { openClient } from './client.ts'

const USER = 'user'

export const openStore: OpenStore = async (folder) => {
  const client = await openClient(folder)
  const call = async (name: string, values: Record<string, unknown> = {}): Promise<string> => {
    const { content, isError } = await client.callTool({ name, arguments: values })
    const text = (content as readonly { readonly text?: string }[]).map((part) => part.text ?? '').join('\n')
    if (isError) throw new Error(text)
    return text
  }
  await call('create_entities', { entities: [{ name: USER, entityType: 'person', observations: [] }] })
  const read = async (): Promise<string> => {
    const graph: { readonly entities: readonly { readonly observations: readonly string[] }[] } = JSON.parse(await call('read_graph'))
    return graph.entities.flatMap(({ observations }) => observations).join('\n')
  }
  return {
    write: async (fact) => void (await call('add_observations', { observations: [{ entityName: USER, contents: [fact] }] })),
    read,
    block: () => call('read_graph'),
    close: () => client.close(),
  }
}
