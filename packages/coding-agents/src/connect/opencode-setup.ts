/** opencode: a plugin in its folder of plugins, the tools in its settings, and the programs of both. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { opencodeFolder } from '../opencode/opencode-folder.ts'
import type { HostSetup } from './host-setup.ts'
import { serverIn } from './json-hooks.ts'
import { moduleFile } from './module-file.ts'
import { pluginFolder } from './plugin-folder.ts'
import { foundFiles } from './remembered.ts'

const programs = (): string => join(opencodeFolder(), 'hermes')

/** The one that the person has. */
const settingsFile = (): string => {
  const [plain, withComments] = ['opencode.json', 'opencode.jsonc'].map((name) => join(opencodeFolder(), name)) as [string, string]
  return existsSync(withComments) && !existsSync(plain) ? withComments : plain
}

export const opencodeSetup: HostSetup = {
  name: 'opencode',
  title: 'opencode',
  isTested: true,
  folder: opencodeFolder,
  files() {
    const path = settingsFile()
    const server = { type: 'local', command: ['node', join(programs(), 'mcp.js'), 'opencode'], enabled: true }
    return [
      moduleFile(join(opencodeFolder(), 'plugin', 'hermes.js'), "export { Hermes } from '../hermes/opencode.mjs'\n"),
      { path, empty: '{}\n', ...serverIn(path, ['mcp', 'hermes'], server, join(programs(), 'mcp.js')) },
    ]
  },
  folders: async () => [{ from: join(await pluginFolder('claude-code'), 'programs'), to: programs() }],
  remembered: () => foundFiles([join(opencodeFolder(), 'AGENTS.md')], { writtenBy: 'hand', isOfProject: false }),
  tryIt:
    "Start opencode anew: 'opencode mcp list' shows the tools of Hermes. Tell it something about yourself, and ask in another session.",
}
