/** Letta Code: a fact is a line of a file that is part of the prompt; the agent writes it with its tool `memory`, which commits it. A wrong change is reverted in git. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { OpenStore, ToolCall } from '../../port.ts'
import { openAgent } from './agent.ts'

const run = promisify(execFile)
const FILE = 'system/facts.md'
const HEADING = '# Facts\n'

export const openStore: OpenStore = async (folder) => {
  const url = (process.env['PEERS_MODEL_URL'] ?? '').replace(/[^/]*$/, randomUUID())
  const agent = await openAgent(folder, url)
  const use = async (args: ToolCall['arguments']): Promise<void> => {
    const planned = [[{ name: 'memory', arguments: { reason: 'A fact', file_path: FILE, ...args } }]]
    await fetch(`${url}/plan`, { method: 'POST', body: JSON.stringify({ planned, found: [] }) })
    await agent.ask('Please do what you think is right.')
  }
  const replace = (old: string, text: string) => use({ command: 'str_replace', old_string: old, new_string: text })
  const git = (...args: readonly string[]) => run('git', ['-C', agent.memory, ...args])
  if (!existsSync(`${agent.memory}/${FILE}`)) await use({ command: 'create', description: 'Facts of the person.', file_text: HEADING })
  const read = (): Promise<string> => readFile(`${agent.memory}/${FILE}`, 'utf8')
  return {
    write: (fact) => replace(HEADING.trim(), `${HEADING}- ${fact}`),
    read,
    block: read,
    change: async (fact, to) => {
      // Its tool refuses to replace something by nothing, so a line is removed together with the end of the line before.
      const before = (await read()).split('\n').find((_, at, lines) => lines[at + 1] === `- ${fact}`) ?? ''
      await (to === undefined ? replace(`${before}\n- ${fact}`, before) : replace(fact, to))
      const { stdout: commit } = await git('rev-parse', 'HEAD')
      return async () => {
        try {
          await git('revert', '--no-edit', commit.trim())
        } catch (error) {
          await git('revert', '--abort')
          throw error
        }
      }
    },
    close: () => agent.close(),
  }
}
