/** Claude Code: the plugin goes into its folder of skills, where it loads plugins from, and its tools need not be asked for. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { claudeFolder } from '../claude-code/claude-code.ts'
import type { HostSetup, Remembered } from './host-setup.ts'
import { addToList, listIn, removeFromList } from './json-list.ts'
import { pluginFolder } from './plugin-folder.ts'
import { filesIn, foundFiles } from './remembered.ts'

const TOOLS = ['memory', 'skills_list', 'skill_view', 'skill_manage'].map((tool) => `mcp__plugin_hermes_hermes__${tool}`)
const ALLOW = ['permissions', 'allow']

const settingsFile = (): string => join(claudeFolder(), 'settings.json')

const remembered = async (): Promise<readonly Remembered[]> => {
  const projects = join(claudeFolder(), 'projects')
  const folders = (await readdir(projects).catch(() => [])).map((name) => join(projects, name, 'memory'))
  const notes = await Promise.all(folders.map((folder) => filesIn(folder, '.md')))
  return [
    ...(await foundFiles([join(claudeFolder(), 'CLAUDE.md')], { writtenBy: 'hand', isOfProject: false })),
    ...(await foundFiles(notes.flat(), { writtenBy: 'model', isOfProject: true })),
  ]
}

export const claudeSetup: HostSetup = {
  name: 'claude-code',
  title: 'Claude Code',
  isTested: true,
  folder: claudeFolder,
  files() {
    const path = settingsFile()
    const add = (text: string) => {
      const allowed = listIn(text, ALLOW, path)
      return addToList(
        text,
        ALLOW,
        TOOLS.filter((tool) => !allowed.includes(tool)),
        path,
      )
    }
    return [{ path, empty: '{}\n', add, takeBack: (text) => removeFromList(text, ALLOW, (tool) => TOOLS.includes(String(tool)), path) }]
  },
  folders: async () => [{ from: await pluginFolder('claude-code'), to: join(claudeFolder(), 'skills', 'hermes') }],
  remembered,
  tryIt: `Start Claude Code anew: '/plugin' shows hermes@skills-dir, and '/mcp' shows its tools. Tell it something about yourself, and ask in another session.`,
}
