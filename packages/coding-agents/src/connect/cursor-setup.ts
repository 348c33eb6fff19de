/** Cursor: the tools in its list of servers. What its hooks are told of a conversation was never seen, so no turn of it is recorded. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { HostSetup } from './host-setup.ts'
import { serverIn } from './json-hooks.ts'
import { pluginFolder } from './plugin-folder.ts'
import { filesIn, foundFiles } from './remembered.ts'

const cursorFolder = (): string => join(homedir(), '.cursor')
const programs = (): string => join(cursorFolder(), 'hermes')
const serversFile = (): string => join(cursorFolder(), 'mcp.json')

export const cursorSetup: HostSetup = {
  name: 'cursor',
  title: 'Cursor',
  isTested: false,
  folder: cursorFolder,
  files: () => [
    {
      ...{ path: serversFile(), empty: '{}\n' },
      ...serverIn(
        serversFile(),
        ['mcpServers', 'hermes'],
        { command: 'node', args: [join(programs(), 'mcp.js')] },
        join(programs(), 'mcp.js'),
      ),
    },
  ],
  folders: async () => [{ from: join(await pluginFolder('claude-code'), 'programs'), to: programs() }],
  remembered: async () =>
    foundFiles(await filesIn(join(cursorFolder(), 'rules'), '.mdc', '.md'), { writtenBy: 'hand', isOfProject: false }),
  tryIt:
    'This was never tested with Cursor itself. Its settings show the tools of Hermes; what it writes with them is kept as from outside, and its conversations are not learned from.',
}
