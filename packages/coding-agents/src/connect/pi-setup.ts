/** pi: an extension in its folder of extensions, the tools in its list of servers, and the programs of both. */
import { join } from 'node:path'
import { piFolder } from '../pi/pi-folder.ts'
import type { HostSetup } from './host-setup.ts'
import { serverIn } from './json-hooks.ts'
import { moduleFile } from './module-file.ts'
import { pluginFolder } from './plugin-folder.ts'
import { foundFiles } from './remembered.ts'

const programs = (): string => join(piFolder(), 'hermes')
const serversFile = (): string => join(piFolder(), 'mcp.json')

export const piSetup: HostSetup = {
  name: 'pi',
  title: 'pi',
  isTested: true,
  folder: piFolder,
  files: () => [
    moduleFile(join(piFolder(), 'extensions', 'hermes.js'), "export { hermesForPi as default } from '../hermes/pi.mjs'\n"),
    {
      ...{ path: serversFile(), empty: '{}\n' },
      ...serverIn(
        serversFile(),
        ['mcpServers', 'hermes'],
        // Few tools that are called often: its model need not look them up.
        { command: 'node', args: [join(programs(), 'mcp.js'), 'pi'], exposure: 'direct' },
        join(programs(), 'mcp.js'),
      ),
    },
  ],
  folders: async () => [{ from: join(await pluginFolder('claude-code'), 'programs'), to: programs() }],
  remembered: () => foundFiles([join(piFolder(), 'AGENTS.md')], { writtenBy: 'hand', isOfProject: false }),
  tryIt: "Start pi anew: '/mcp' shows the tools of Hermes. Tell it something about yourself, and ask in another session.",
}
