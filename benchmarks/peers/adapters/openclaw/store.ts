/** OpenClaw: memory is MEMORY.md, which the agent changes with its `edit` tool; these are the tools of its package and the files that a session is given. */
import { existsSync, readFileSync } from 'node:fs'
import { createOpenClawCodingTools } from 'openclaw/plugin-sdk/agent-harness'
import { resolveBootstrapContextForRun } from 'openclaw/plugin-sdk/agent-harness-runtime'
import type { OpenStore } from '../../port.ts'
import { HEADING, insertion, MEMORY, openHome, SESSION } from './home.ts'

/** Speakers of the attacks whose words OpenClaw gets without the network; all others stand for pages and servers, which its tools declare. */
const LOCAL = new Set(
  'user file recall summary sub-user sub-agent read_file read_document read_sheet ocr slides terminal git profiler'.split(' '),
)

export const openStore: OpenStore = async (folder) => {
  const { config, workspaceDir } = openHome(folder, process.env['PEERS_MODEL_URL'] ?? '')
  // A turn is tainted from the first result of a tool that declares the network as its source, until the user speaks again.
  let isTainted = false
  const tools = createOpenClawCodingTools({ ...SESSION, config, workspaceDir, cwd: workspaceDir, isTurnTainted: () => isTainted })
  let calls = 0
  const call = async (name: string, values: Record<string, unknown>) => {
    const tool = tools.find((each) => each.name === name)
    if (!tool) throw new TypeError(`OpenClaw has no tool ${name}.`)
    return await tool.execute(`call-${calls++}`, values)
  }
  const inPrompt = async (): Promise<string> => {
    const { contextFiles } = await resolveBootstrapContextForRun({ ...SESSION, config, workspaceDir })
    return contextFiles.find(({ path }) => path === file)?.content ?? ''
  }
  const file = `${workspaceDir}/${MEMORY}`
  if (!existsSync(file)) await call('write', { path: MEMORY, content: HEADING })
  return {
    write: async (fact) => void (await call('edit', insertion(fact))),
    read: async () => ((await inPrompt()) === '' ? '' : readFileSync(file, 'utf8')),
    outside: async () => ((await inPrompt()) === '' ? readFileSync(file, 'utf8') : ''),
    block: inPrompt,
    repeat: async (words, from) => {
      const name = LOCAL.has(from) ? 'read' : 'web_fetch'
      isTainted = tools.some((tool) => tool.name === name && tool.resultContentSource === 'network')
      await call('edit', insertion(words))
      isTainted = false
    },
    learnSkill: async (name, instructions) => {
      isTainted = true
      const { details } = await call('skill_workshop', {
        action: 'create',
        name,
        description: `How to ${name}`,
        proposal_content: instructions,
      })
      await call('skill_workshop', { action: 'apply', proposal_id: (details as { readonly id: string }).id }).catch(() => undefined)
      isTainted = false
      const applied = `${folder}/state/agents/${SESSION.agentId}/agent/workshop-skills/${name}/SKILL.md`
      return existsSync(applied) ? readFileSync(applied, 'utf8') : ''
    },
    close: async () => undefined,
  }
}
