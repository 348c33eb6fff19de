/** Claude Code: the plugin goes into its folder of skills, where it loads plugins from, and its tools need not be asked for. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asList, asRecord } from '@hermes/core/adapter'
import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser'
import { claudeFolder } from '../claude-code/claude-code.ts'
import type { HostSetup, Remembered } from './host-setup.ts'
import { pluginFolder } from './plugin-folder.ts'
import { foundFiles } from './remembered.ts'

const TOOLS = ['memory', 'skills_list', 'skill_view', 'skill_manage'].map((tool) => `mcp__plugin_hermes_hermes__${tool}`)
const ALLOW = ['permissions', 'allow']

const settingsFile = (): string => join(claudeFolder(), 'settings.json')

const allowedIn = (text: string, path: string): readonly unknown[] => {
  const errors: ParseError[] = []
  const settings: unknown = parse(text, errors, { allowTrailingComma: true })
  if (errors.length > 0) throw new Error(`'${path}' is not JSON, so nothing was changed. Correct it first.`)
  return asList(asRecord(asRecord(settings)['permissions'])['allow'])
}

const withAllowed = (text: string, allowed: readonly unknown[] | undefined): string => {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
  return applyEdits(text, modify(text, ALLOW, allowed, { formattingOptions }))
}

const addTools = (text: string, path: string): string => {
  const allowed = allowedIn(text, path)
  const missing = TOOLS.filter((tool) => !allowed.includes(tool))
  return missing.length === 0 ? text : withAllowed(text, [...allowed, ...missing])
}

const takeBack = (path: string, text: string): string => {
  const allowed = allowedIn(text, path)
  const kept = allowed.filter((tool) => !TOOLS.includes(String(tool)))
  return kept.length === allowed.length ? text : withAllowed(text, kept.length === 0 ? undefined : kept)
}

const readText = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  })

const remembered = async (): Promise<readonly Remembered[]> => {
  const projects = join(claudeFolder(), 'projects')
  const folders = (await readdir(projects).catch(() => [])).map((name) => join(projects, name, 'memory'))
  const notes = await Promise.all(folders.map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))))
  return [
    ...(await foundFiles([join(claudeFolder(), 'CLAUDE.md')], 'hand')),
    ...(await foundFiles(
      notes.flat().filter((path) => path.endsWith('.md')),
      'model',
    )),
  ]
}

export const claudeSetup: HostSetup = {
  name: 'claude-code',
  title: 'Claude Code',
  isTested: true,
  folder: claudeFolder,
  async plan() {
    const path = settingsFile()
    const before = await readText(path)
    const after = addTools(before ?? '{}\n', path)
    return {
      files: after === before ? [] : [{ path, before, after }],
      folders: [{ from: await pluginFolder('claude-code'), to: join(claudeFolder(), 'skills', 'hermes') }],
    }
  },
  takeBack,
  remembered,
  tryIt: `Start Claude Code anew: '/plugin' shows hermes@skills-dir, and '/mcp' shows its tools. Tell it something about yourself, and ask in another session.`,
}
