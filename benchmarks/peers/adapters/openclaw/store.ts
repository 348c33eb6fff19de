/** OpenClaw: memory is MEMORY.md, which the agent changes with its `edit` tool; these are the tools of its package and the files that a session is given. */
import { existsSync, readFileSync } from 'node:fs'
import { createOpenClawCodingTools } from 'openclaw/plugin-sdk/agent-harness'
import { resolveBootstrapContextForRun } from 'openclaw/plugin-sdk/agent-harness-runtime'
import type { OpenStore } from '../../port.ts'
import { HEADING, insertion, MEMORY, openHome, SESSION } from './home.ts'

export const openStore: OpenStore = async (folder) => {
  const { config, workspaceDir } = openHome(folder, process.env['PEERS_MODEL_URL'] ?? '')
  const tools = createOpenClawCodingTools({ ...SESSION, config, workspaceDir, cwd: workspaceDir })
  let calls = 0
  const call = async (name: string, values: Record<string, unknown>): Promise<void> => {
    const tool = tools.find((each) => each.name === name)
    if (!tool) throw new TypeError(`OpenClaw has no tool ${name}.`)
    await tool.execute(`call-${calls++}`, values)
  }
  const file = `${workspaceDir}/${MEMORY}`
  if (!existsSync(file)) await call('write', { path: MEMORY, content: HEADING })
  return {
    write: (fact) => call('edit', insertion(fact)),
    read: async () => readFileSync(file, 'utf8'),
    block: async () => {
      const { contextFiles } = await resolveBootstrapContextForRun({ ...SESSION, config, workspaceDir })
      return contextFiles.find(({ path }) => path === file)?.content ?? ''
    },
    close: async () => undefined,
  }
}
