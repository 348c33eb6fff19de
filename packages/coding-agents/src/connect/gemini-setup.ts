/** Gemini CLI: hooks and the tools in its settings, and the programs of both beside them. */
import { join } from 'node:path'
import { geminiFolder } from '../gemini-cli/gemini-folder.ts'
import type { HostSetup } from './host-setup.ts'
import { bothIn, hooksIn, serverIn } from './json-hooks.ts'
import { pluginFolder } from './plugin-folder.ts'
import { foundFiles } from './remembered.ts'

const programs = (): string => join(geminiFolder(), 'hermes')
const settingsFile = (): string => join(geminiFolder(), 'settings.json')

const hook = (event: string) => ({
  hooks: [
    { name: `hermes-${event}`, type: 'command', command: `node "${join(programs(), 'hook.js')}" gemini-cli ${event}`, timeout: 5_000 },
  ],
})

const changes = () => {
  const server = {
    ...{ command: 'node', args: [join(programs(), 'mcp.js'), 'gemini-cli'] },
    // Gemini CLI gives a server no variables of the user but those that are named.
    env: { HERMES_HOME: '$HERMES_HOME' },
    trust: true,
  }
  return bothIn(
    hooksIn(
      settingsFile(),
      { BeforeAgent: hook('BeforeAgent'), AfterAgent: hook('AfterAgent'), SessionEnd: hook('SessionEnd') },
      join(programs(), 'hook.js'),
    ),
    serverIn(settingsFile(), ['mcpServers', 'hermes'], server, join(programs(), 'mcp.js')),
  )
}

export const geminiSetup: HostSetup = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  isTested: true,
  folder: geminiFolder,
  files: () => [{ path: settingsFile(), empty: '{}\n', ...changes() }],
  folders: async () => [{ from: join(await pluginFolder('claude-code'), 'programs'), to: programs() }],
  // Its own notes on the user are in the file that the user writes too.
  remembered: () => foundFiles([join(geminiFolder(), 'GEMINI.md')], { writtenBy: 'model', isOfProject: false }),
  tryIt:
    "Start Gemini CLI anew: '/hooks' shows those of Hermes, and '/mcp' its tools. Tell it something about yourself, and ask in another session.",
}
