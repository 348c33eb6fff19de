/** deepagents: memory is a file, AGENTS.md, which the agent changes with `edit_file`; this is the same back end and the same call. */
import { existsSync } from 'node:fs'
import { FilesystemBackend } from 'deepagents'
import type { OpenStore } from '../../port.ts'

const FILE = '/AGENTS.md'
const HEADING = '# Memory'

export const openStore: OpenStore = async (folder) => {
  const backend = new FilesystemBackend({ rootDir: folder, virtualMode: true })
  if (!existsSync(`${folder}${FILE}`)) await backend.write(FILE, `${HEADING}\n`)
  const read = async (): Promise<string> => {
    const { content, error } = await backend.read(FILE, 0, 100_000)
    if (error !== undefined) throw new Error(error)
    return String(content)
  }
  return {
    write: async (fact) => {
      const { error } = await backend.edit(FILE, `${HEADING}\n`, `${HEADING}\n- ${fact}\n`)
      if (error !== undefined) throw new Error(error)
    },
    read,
    block: read,
    close: async () => undefined,
  }
}
