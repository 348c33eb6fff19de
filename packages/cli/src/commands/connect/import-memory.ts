/** `hermes connect <agent> --import`: what a coding agent remembers by itself, into this memory. Shows which files it reads, and asks first. */
import { type HostSetup, type ImportedRemembered, importRemembered } from '@hermes/coding-agents'
import type { ImportReport } from '@hermes/core/portability'
import { type Answer, failed, messageOf } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { askFirst } from '../../terminal/ask-first.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { counted } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { renderImport } from '../portability/import.ts'
import { describeRemembered } from './list-hosts.ts'

const describe = ({ handWritten, notes, skipped }: ImportedRemembered, terminal: Terminal): string => {
  const part = (title: string, report: ImportReport | undefined) =>
    report ? `${terminal.paint.bold(title)}\n${renderImport(report, terminal)}` : ''
  const left = skipped.map(({ path, reason }) => `Not imported: ${cleanText(path)}. ${reason}\n`)
  return `${part('Written by hand', handWritten)}${part('Notes of its model', notes)}${left.join('')}`
}

export const importFrom = async (source: HostSetup, yes: boolean | undefined, context: Context): Promise<Answer> => {
  const files = await source.remembered()
  if (files.length === 0)
    return { value: { host: source.name, files }, text: () => `${source.title} remembers nothing that could be imported.\n` }
  context.say(
    `What ${source.title} remembers will be read and added to the memory in ${context.home}:\n${files.map(describeRemembered).join('')}`,
  )
  const stopped = await askFirst(`Import ${counted(files.length, 'file')}?`, yes, context)
  if (stopped) return stopped
  try {
    const { openWithProvider } = await import('../../open-hermes.ts')
    const imported = await importRemembered(await openWithProvider(context), files)
    if (!imported.ok) return failed(imported.error)
    return { value: { host: source.name, files, ...imported.value }, text: (terminal) => describe(imported.value, terminal) }
  } catch (cause) {
    return failed({ code: 'io', message: `What ${source.title} remembers could not be read: ${messageOf(cause)}` })
  }
}
