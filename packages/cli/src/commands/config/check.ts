/** `hermes config check`: the settings in config.yaml, and each line that is wrong or has no effect. */
import type { ConfigNote, ConfigReading, ConfigSetting } from '@hermes/core/config'
import type { MemoryProvider } from '@hermes/core/provider'
import { type Answer, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { counted } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/text-width.ts'
import { sharedNotes, sharedSkills } from '../skills/library.ts'

const COLUMNS: readonly Column<ConfigSetting>[] = [
  { title: 'LINE', cell: ({ line }) => String(line), align: 'right' },
  { title: 'SETTING', cell: ({ key }) => key, least: 16 },
  { title: 'VALUE', cell: ({ value }) => String(value), least: 8 },
]

const renderNotes = (notes: readonly ConfigNote[], { columns }: Terminal, paint: (text: string) => string): string =>
  notes
    .map(({ line, key, message }) => {
      const label = `line ${line}:`
      return `${paint(label)} ${wrapText(cleanText(key === '' ? message : `'${key}' ${message}`), columns, label.length + 1)}\n`
    })
    .join('')

const describe = ({ settings, warnings, foreignKeys, unreadKeys }: ConfigReading, path: string, terminal: Terminal): string => {
  const { dim, yellow, green } = terminal.paint
  const table = settings.length === 0 ? '' : `${renderTable(COLUMNS, settings, terminal)}\n`
  const foreign =
    foreignKeys.length === 0 ? '' : `${dim(wrapText(`Used only by Python Hermes: ${foreignKeys.join(', ')}.`, terminal.columns))}\n`
  const unread =
    unreadKeys.length === 0
      ? ''
      : `${wrapText(cleanText(`${counted(unreadKeys.length, 'key')} that Hermes does not read: ${unreadKeys.join(', ')}`), terminal.columns)}\n`
  const verdict =
    warnings.length === 0
      ? green(
          `${path} is valid: ${settings.length === 0 ? 'it sets nothing, so every setting has its default' : counted(settings.length, 'setting')}.`,
        )
      : yellow(`${path} is valid, with ${counted(warnings.length, 'warning')}.`)
  return `${table}${renderNotes(warnings, terminal, yellow)}${foreign}${unread}${wrapText(verdict, terminal.columns)}\n`
}

/** Why past sessions cannot be searched, or not by meaning: a Node without SQLite, a model that is not installed. Opened as a host does; a file is created only when something is stored. */
const problemOfRecall = async (provider: MemoryProvider, context: Context): Promise<string | undefined> => {
  const { hasRecall, openRecall } = await import('../../with-recall.ts')
  if (!hasRecall(provider)) return undefined
  try {
    const problems: string[] = []
    await (await openRecall(provider, { ...context, warn: (message) => problems.push(message) })).index.close()
    return problems[0]
  } catch (cause) {
    return `The memory provider '${provider.name}' cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

/** What stops the memory provider that config.yaml names. Loads it as a host does. */
export const checkProvider = async ({ config, settings }: ConfigReading, context: Context): Promise<readonly ConfigNote[]> => {
  if (config.memory.provider === undefined) return []
  const { loadForCommand } = await import('../../provider/load-for-command.ts')
  const { provider, warning } = await loadForCommand(context, config.memory)
  const message = warning ?? (provider && (await problemOfRecall(provider, context)))
  const line = settings.find(({ key }) => key === 'memory.provider')?.line ?? 1
  return message === undefined ? [] : [{ line, key: '', message }]
}

/** The folders of shared skills and notes that cannot be read. */
export const checkShared = async ({ settings }: ConfigReading, context: Context): Promise<readonly ConfigNote[]> => {
  const notes: ConfigNote[] = []
  for (const [section, folders] of [['skills', sharedSkills(context)] as const, ['memory', sharedNotes(context)] as const]) {
    for (const [index, folder] of folders.entries()) {
      const listed = await folder.list('')
      const key = `${section}.shared[${index}]`
      const line = settings.find((setting) => setting.key === key)?.line ?? 1
      if (!listed.ok) notes.push({ line, key, message: `cannot be read: ${listed.error.message}` })
    }
  }
  return notes
}

const isNote = (value: unknown): value is ConfigNote =>
  typeof value === 'object' && value !== null && 'line' in value && 'key' in value && 'message' in value

export const checkCommand = defineCommand({
  examples: [
    ['hermes config check', 'exit code 0 if every host can start with it'],
    ['hermes config check --json', 'settings and warnings with their lines'],
  ],
  withoutConfig: true,
  run: async (_args, context): Promise<Answer> => {
    const { config, home } = context
    const path = `${home}/config.yaml`
    if (config.ok) {
      const found = [...(await checkProvider(config.value, context)), ...(await checkShared(config.value, context))]
      const reading = { ...config.value, warnings: [...config.value.warnings, ...found] }
      const { settings, warnings, foreignKeys, unreadKeys } = reading
      return { value: { path, settings, warnings, foreignKeys, unreadKeys }, text: (terminal) => describe(reading, path, terminal) }
    }
    const listed = config.error.details['problems']
    const problems = Array.isArray(listed) ? listed.filter(isNote) : []
    const message = problems.length === 0 ? config.error.message : `${path} cannot be used: correct ${counted(problems.length, 'line')}.`
    return {
      ...failed({ code: config.error.code, message, details: config.error.details }),
      text: (terminal) => renderNotes(problems, terminal, terminal.paint.red),
    }
  },
})
