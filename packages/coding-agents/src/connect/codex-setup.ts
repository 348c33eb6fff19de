/** Codex: hooks in its hooks.json, the tools in its config.toml, and the programs of both beside them. */
import { join } from 'node:path'
import { asList, asRecord, asText } from '@hermes/core/adapter'
import { codexFolder } from '../codex/codex-folder.ts'
import type { HostSetup } from './host-setup.ts'
import { addToList, removeFromList } from './json-list.ts'
import { pluginFolder } from './plugin-folder.ts'
import { filesIn, foundFiles } from './remembered.ts'

const EVENTS = ['SessionStart', 'Stop', 'SessionEnd']
const BEGIN = "# Written by 'hermes connect', and taken out by 'hermes disconnect':"
const END = '# End of Hermes.'

const programs = (): string => join(codexFolder(), 'hermes')
const hooksFile = (): string => join(codexFolder(), 'hooks.json')
const configFile = (): string => join(codexFolder(), 'config.toml')

const commandOf = (event: string): string => `node "${join(programs(), 'hook.js')}" codex ${event}`

const isOurs = (group: unknown): boolean =>
  asList(asRecord(group)['hooks']).some((hook) => asText(asRecord(hook)['command']).includes(join(programs(), 'hook.js')))

const takeBackHooks = (text: string): string =>
  EVENTS.reduce((now, event) => removeFromList(now, ['hooks', event], isOurs, hooksFile()), text)

const addHooks = (text: string): string =>
  EVENTS.reduce((now, event) => {
    const hook = { type: 'command', command: commandOf(event), timeout: event === 'SessionEnd' ? 3 : 5 }
    return addToList(now, ['hooks', event], [{ hooks: [hook] }], hooksFile())
  }, takeBackHooks(text))

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
    { path: hooksFile(), empty: '{}\n', add: addHooks, takeBack: takeBackHooks },
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
