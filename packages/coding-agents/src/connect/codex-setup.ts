/** Codex: hooks in its hooks.json, the tools in its config.toml, and the programs of both beside them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asList, asRecord, asText } from '@hermes/core/adapter'
import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser'
import { codexFolder } from '../codex/codex-folder.ts'
import type { FileChange, HostSetup } from './host-setup.ts'
import { pluginFolder } from './plugin-folder.ts'
import { foundFiles } from './remembered.ts'

const EVENTS = ['SessionStart', 'Stop', 'SessionEnd']
const BEGIN = "# Written by 'hermes connect', and taken out by 'hermes disconnect':"
const END = '# End of Hermes.'

const programs = (): string => join(codexFolder(), 'hermes')
const hooksFile = (): string => join(codexFolder(), 'hooks.json')
const configFile = (): string => join(codexFolder(), 'config.toml')

const commandOf = (event: string): string => `node "${join(programs(), 'hook.js')}" codex ${event}`

const readText = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  })

const groupsOf = (text: string, event: string): readonly unknown[] => {
  const errors: ParseError[] = []
  const read: unknown = parse(text, errors)
  if (errors.length > 0) throw new Error(`'${hooksFile()}' is not JSON, so nothing was changed. Correct it first.`)
  return asList(asRecord(asRecord(read)['hooks'])[event])
}

const isOurs = (group: unknown): boolean =>
  asList(asRecord(group)['hooks']).some((hook) => asText(asRecord(hook)['command']).includes(join(programs(), 'hook.js')))

const withGroups = (text: string, event: string, groups: readonly unknown[] | undefined): string =>
  applyEdits(text, modify(text, ['hooks', event], groups, { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } }))

const addHooks = (text: string): string =>
  EVENTS.reduce((now, event) => {
    const others = groupsOf(now, event).filter((group) => !isOurs(group))
    return withGroups(now, event, [
      ...others,
      { hooks: [{ type: 'command', command: commandOf(event), timeout: event === 'SessionEnd' ? 3 : 5 }] },
    ])
  }, text)

const takeBackHooks = (text: string): string =>
  EVENTS.reduce((now, event) => {
    const groups = groupsOf(now, event)
    const others = groups.filter((group) => !isOurs(group))
    if (others.length === groups.length) return now
    return withGroups(now, event, others.length === 0 ? undefined : others)
  }, text)

const serverBlock = (): string =>
  [BEGIN, '[mcp_servers.hermes]', 'command = "node"', `args = [${JSON.stringify(join(programs(), 'mcp.js'))}, "codex"]`, END, ''].join('\n')

const addServer = (text: string): string => {
  if (/^\s*\[mcp_servers\.(?:hermes|"hermes")\]/m.test(text))
    throw new Error(`'${configFile()}' has an MCP server 'hermes' already, so nothing was changed. Remove it first.`)
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${text === '' ? '' : '\n'}${serverBlock()}`
}

const takeBackServer = (text: string): string => {
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  return start < 0 || end < start ? text : text.slice(0, start).replace(/\n\n$/, '\n') + text.slice(end + END.length + 1)
}

const changed = async (path: string, empty: string, change: (text: string) => string): Promise<FileChange> => {
  const before = await readText(path)
  return { path, before, after: change(before ?? empty) }
}

export const codexSetup: HostSetup = {
  name: 'codex',
  title: 'Codex',
  isTested: true,
  folder: codexFolder,
  plan: async () => ({
    files: [await changed(hooksFile(), '{}\n', addHooks), await changed(configFile(), '', addServer)],
    folders: [{ from: join(await pluginFolder('claude-code'), 'programs'), to: programs() }],
  }),
  takeBack: (path, text) => (path === configFile() ? takeBackServer(text) : takeBackHooks(text)),
  remembered: () => foundFiles([join(codexFolder(), 'AGENTS.md')], 'hand'),
  tryIt: "Start Codex anew and let it trust the hooks of Hermes: '/hooks' shows them. Until then they do not run.",
}
