/** Codex: hooks in its hooks.json, the tools in its config.toml, and the programs of both beside them. */
import { join } from 'node:path'
import { codexFolder } from '../codex/codex-folder.ts'
import type { HostSetup } from './host-setup.ts'
import { hooksIn } from './json-hooks.ts'
import { pluginFolder } from './plugin-folder.ts'
import { filesIn, foundFiles } from './remembered.ts'

const BEGIN = "# Written by 'hermes connect', and taken out by 'hermes disconnect':"
const END = '# End of Hermes.'

const programs = (): string => join(codexFolder(), 'hermes')
const hooksFile = (): string => join(codexFolder(), 'hooks.json')
const configFile = (): string => join(codexFolder(), 'config.toml')

const hook = (event: string, timeout: number) => ({
  hooks: [{ type: 'command', command: `node "${join(programs(), 'hook.js')}" codex ${event}`, timeout }],
})

const hooks = () =>
  hooksIn(
    hooksFile(),
    { SessionStart: hook('SessionStart', 5), Stop: hook('Stop', 5), SessionEnd: hook('SessionEnd', 3) },
    join(programs(), 'hook.js'),
  )

const serverBlock = (): string =>
  [BEGIN, '[mcp_servers.hermes]', 'command = "node"', `args = [${JSON.stringify(join(programs(), 'mcp.js'))}, "codex"]`, END, ''].join('\n')

/** A server of this name, or all servers in one value, to which a table cannot be added. */
const OTHER_SERVER = /^\s*(?:\[mcp_servers\.(?:hermes|"hermes"|'hermes')\s*[.\]]|mcp_servers\s*=|mcp_servers\s*\.\s*["']?hermes\b)/m
const IN_SERVERS = /^\s*\[mcp_servers\]\s*(?:#.*)?$(?:\r?\n(?!\s*\[).*)*?\r?\n\s*["']?hermes["']?\s*[.=]/m

const addServer = (text: string): string => {
  if (OTHER_SERVER.test(text) || IN_SERVERS.test(text))
    throw new Error(
      `'${configFile()}' has an MCP server 'hermes' already, or all servers in one line, so nothing was changed. Remove that server, or write each server as a table of its own.`,
    )
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const before = text === '' ? '' : `${text}${text.endsWith('\n') ? '' : eol}${eol}`
  return before + serverBlock().replaceAll('\n', eol)
}

const takeBackServer = (text: string): string => {
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (start < 0 || end < start) return text
  const before = text.slice(0, start).replace(/(\r?\n)\r?\n$/, '$1')
  return before + text.slice(end + END.length).replace(/^\r?\n/, '')
}

export const codexSetup: HostSetup = {
  name: 'codex',
  title: 'Codex',
  isTested: true,
  folder: codexFolder,
  files: () => [
    { path: hooksFile(), empty: '{}\n', ...hooks() },
    { path: configFile(), empty: '', add: addServer, takeBack: takeBackServer },
  ],
  folders: async () => [{ from: join(await pluginFolder('claude-code'), 'programs'), to: programs() }],
  async remembered() {
    const written = ['AGENTS.md', 'AGENTS.override.md'].map((name) => join(codexFolder(), name))
    return [
      ...(await foundFiles(written, { writtenBy: 'hand', isOfProject: false })),
      ...(await foundFiles(await filesIn(join(codexFolder(), 'memories'), '.md'), { writtenBy: 'model', isOfProject: false })),
    ]
  },
  tryIt: "Start Codex anew and let it trust the hooks of Hermes: '/hooks' shows them. Until then they do not run.",
}
