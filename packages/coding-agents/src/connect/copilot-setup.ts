/** Copilot CLI: a file with hooks, the tools in its list of servers, and the programs of both beside them. */
import { join } from 'node:path'
import { copilotFolder } from '../copilot-cli/copilot-folder.ts'
import type { HostSetup } from './host-setup.ts'
import { hooksIn, serverIn } from './json-hooks.ts'
import { pluginFolder } from './plugin-folder.ts'
import { foundFiles } from './remembered.ts'

const programs = (): string => join(copilotFolder(), 'hermes')
const hooksFile = (): string => join(copilotFolder(), 'hooks', 'hermes.json')
const serversFile = (): string => join(copilotFolder(), 'mcp-config.json')

/** In the shape of Claude Code, as their names with a capital letter say. */
const hook = (event: string) => {
  const command = `node "${join(programs(), 'hook.js')}" copilot-cli ${event}`
  return { type: 'command', bash: command, powershell: command, timeoutSec: 5 }
}

export const copilotSetup: HostSetup = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  isTested: true,
  folder: copilotFolder,
  files: () => [
    {
      ...{ path: hooksFile(), empty: '{\n  "version": 1\n}\n' },
      ...hooksIn(
        hooksFile(),
        { SessionStart: hook('SessionStart'), Stop: hook('Stop'), SessionEnd: hook('SessionEnd') },
        join(programs(), 'hook.js'),
      ),
    },
    {
      ...{ path: serversFile(), empty: '{}\n' },
      ...serverIn(
        serversFile(),
        ['mcpServers', 'hermes'],
        { type: 'local', command: 'node', args: [join(programs(), 'mcp.js'), 'copilot-cli'], tools: ['*'] },
        join(programs(), 'mcp.js'),
      ),
    },
  ],
  folders: async () => [{ from: join(await pluginFolder('claude-code'), 'programs'), to: programs() }],
  remembered: () => foundFiles([join(copilotFolder(), 'copilot-instructions.md')], { writtenBy: 'hand', isOfProject: false }),
  tryIt: "Start Copilot CLI anew: '/mcp' shows the tools of Hermes. Tell it something about yourself, and ask in another session.",
}
