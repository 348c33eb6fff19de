/** `hermes import`: merges an export into this home. Overwrites nothing and reports what it refused. */
import type { ExportPart, HeldImport, ImportCount, ImportReport, RefusedImport } from '@hermes/core/portability'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { type Field, hint, renderFields } from '../../terminal/field-list.ts'
import { counted, formatCount } from '../../terminal/format.ts'
import { whileShowing } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/text-width.ts'
import { readArchive, toFile } from './archive-file.ts'

export const importCommand = defineCommand({
  describe: 'Add the contents of an export to this home. Overwrites nothing; importing it again changes nothing.',
  examples: [
    ['hermes import hermes-2026-05-16.tar.gz --dry-run', 'what would be added, and what would be refused'],
    ['hermes import home.tar.gz', 'what another home of yours has learned'],
    ['hermes import team.tar.gz --untrusted', "somebody else's: each item is judged as text from outside"],
  ],
  options: (parser) =>
    parser
      .positional('file', { coerce: toFile, demandOption: true, describe: "a file that 'hermes export' wrote; '-' is stdin" })
      .option('dry-run', { type: 'boolean', describe: 'only show what would be done' })
      .option('untrusted', {
        type: 'boolean',
        describe: 'treat all of it as text from outside: facts are added as data, the rest waits or is refused',
      }),
  createsHome: true,
  run: async ({ file, 'dry-run': dryRun = false, untrusted = false }, context) => {
    const archive = await readArchive(file, context.world.stdin)
    if (!archive.ok) return failed(archive.failure)
    const { openWithProvider } = await import('../../open-hermes.ts')
    const hermes = await openWithProvider(context)
    const imported = await whileShowing('Importing …', context, () => hermes.import(archive.bytes, { dryRun, trusted: !untrusted }))
    if (imported.ok) return { value: imported.value, text: (terminal) => renderImport(imported.value, terminal) }
    return failed(imported.error)
  },
})

const PARTS: readonly (readonly [part: ExportPart, label: string])[] = [
  ['memory', 'memory'],
  ['memoryArchive', 'memory archive'],
  ['skills', 'skills'],
  ['archivedSkills', 'archived skills'],
  ['pending', 'pending'],
  ['journal', 'journal'],
]

/** Limits the list, so that many damaged files do not push the result off the screen. */
const MOST_SHOWN = 30

const describeCount = ({ added, alreadyThere, held, refused }: ImportCount): string =>
  [
    [added, 'added'],
    [alreadyThere, 'already there'],
    [held, 'waiting for you'],
    [refused, 'refused'],
  ]
    .flatMap(([count, what]) => (count === 0 ? [] : [`${formatCount(Number(count))} ${what}`]))
    .join(', ')

const renderItems = (
  title: string,
  items: readonly (RefusedImport | HeldImport)[],
  total: number,
  { columns, paint }: Terminal,
): string => {
  if (total === 0) return ''
  const lines = items.slice(0, MOST_SHOWN).map(({ name, reason }) => `  ${wrapText(cleanText(`${name}: ${reason}`), columns, 2)}\n`)
  const more = total - lines.length
  return `${paint.yellow(title)}\n${lines.join('')}${more > 0 ? `  and ${formatCount(more)} more; --json lists them.\n` : ''}`
}

const headline = ({ changed, dryRun }: ImportReport): string => {
  if (!changed) return 'Nothing to add: everything that can be imported is here already.'
  return dryRun ? 'An import would do this; nothing was written.' : 'Imported.'
}

export const renderImport = (report: ImportReport, terminal: Terminal): string => {
  const { counts, archivedInstead, held, refused, dryRun } = report
  const fields = PARTS.map(([part, label]): Field => [label, describeCount(counts[part])])
  const sum = (what: 'held' | 'refused'): number => Object.values(counts).reduce((all, count) => all + count[what], 0)
  const archived =
    archivedInstead === 0
      ? ''
      : hint(
          `${counted(archivedInstead, 'entry', 'entries')} did not fit into memory and went to its archive. See 'hermes memory archived'.`,
          terminal,
        )
  const waiting = renderItems('Waiting for you:', held, sum('held'), terminal)
  const decide = waiting === '' || dryRun ? '' : hint("'hermes pending' shows each of them and asks.", terminal)
  return `${headline(report)}\n${renderFields(fields, terminal)}${archived}${waiting}${decide}${renderItems('Refused:', refused, sum('refused'), terminal)}`
}
