/** OpenClaw: a turn of its embedded agent, in this process; it stores the messages. Instructions are the agent's SOUL.md; its first-run ritual is over. */
import { writeFileSync } from 'node:fs'
import { agentCommandFromIngress } from 'openclaw/plugin-sdk/agent-runtime'
import type { Chat, Host, ToolCall } from '../../port.ts'
import { insertion, openHome, SESSION } from './home.ts'

const silent = { log: () => undefined, error: () => undefined, exit: () => undefined }

export const openChat = async (folder: string, _session: string, { url, instructions }: Host): Promise<Chat> => {
  const { workspaceDir } = openHome(folder, url)
  writeFileSync(`${workspaceDir}/SOUL.md`, instructions)
  return {
    turn: async (message) =>
      void (await agentCommandFromIngress({ ...SESSION, message, allowModelOverride: false, deliver: false }, silent)),
    close: async () => undefined,
  }
}

export const saves = (fact: string): readonly ToolCall[] => [{ name: 'edit', arguments: insertion(fact) }]
