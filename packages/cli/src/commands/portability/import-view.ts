/** Renders the result of an import, part by part. */
import type { ExportPart, HeldImport, ImportCount, ImportReport, RefusedImport } from '@hermes/core/portability'
import { cleanText } from '../../terminal/clean-text.ts'
import { type Field, renderFields } from '../../terminal/field-list.ts'
import { counted, formatCount } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/wrap-text.ts'

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
