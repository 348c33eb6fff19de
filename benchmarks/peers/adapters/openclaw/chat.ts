/** OpenClaw: a turn of its embedded agent, in this process; it stores the messages. Instructions are the agent's SOUL.md. */
import { readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Chat, Host, ToolCall } from '../../port.ts'
import { insertion, openHome, SESSION } from './home.ts'

type Turn = (options: Readonly<Record<string, unknown>>, io: Readonly<Record<string, () => void>>) => Promise<unknown>

const DIST = dirname(createRequire(import.meta.url).resolve('openclaw'))
const SILENT = { log: () => undefined, error: () => undefined, exit: () => undefined }

/** What `openclaw agent --local` calls. The package exports a like function, which takes everybody for a stranger, and so what is written for outside text. */
const findTurn = async (): Promise<Turn> => {
  for (const file of readdirSync(DIST).filter((name) => /^agent-command-\w+\.mjs$/.test(name))) {
    const { agentCommand } = await import(join(DIST, file))
    if (agentCommand) return agentCommand
  }
  throw new TypeError('This version of OpenClaw has no agentCommand.')
}

export const openChat = async (folder: string, _session: string, { url, instructions }: Host): Promise<Chat> => {
  const { workspaceDir } = openHome(folder, url)
  const agentCommand = await findTurn()
  writeFileSync(`${workspaceDir}/SOUL.md`, instructions)
  return {
    turn: async (message) => void (await agentCommand({ ...SESSION, message, deliver: false }, SILENT)),
    close: async () => undefined,
  }
}

export const saves = (fact: string): readonly ToolCall[] => [{ name: 'edit', arguments: insertion(fact) }]
