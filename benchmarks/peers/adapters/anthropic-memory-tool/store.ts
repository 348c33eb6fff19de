/** Anthropic's memory tool with the local files of its SDK: a fact is inserted at the top of one file, as the model would. */
import { existsSync } from 'node:fs'
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import type { OpenStore } from '../../port.ts'

const PATH = '/memories/facts.md'

export const openStore: OpenStore = async (folder) => {
  const tool = await BetaLocalFilesystemMemoryTool.init(folder)
  if (!existsSync(`${folder}${PATH}`)) await tool.create({ command: 'create', path: PATH, file_text: '# Facts\n' })
  const read = (): Promise<string> => tool.view({ command: 'view', path: PATH })
  return {
    write: async (fact) => void (await tool.insert({ command: 'insert', path: PATH, insert_line: 1, insert_text: `${fact}\n` })),
    read,
    block: read,
    close: async () => undefined,
  }
}
