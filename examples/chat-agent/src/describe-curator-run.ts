/** What a run of the curator did, in lines to be indented after the first: the counts, then each skill that moved, and where it is kept. */
import { type CuratorRun, countTransitions } from '@hermes/core'
import { counted, oneLine } from './terminal/text.ts'

/** The most skills that are named; the report has all of them. */
const MAX_NAMED = 8

export const describeCuratorRun = ({ report, consolidation, backupId, reportPath, problems }: CuratorRun): readonly string[] => {
  const { checked, markedStale, archived, reactivated } = countTransitions(report)
  const { consolidated = [], held = [] } = consolidation ?? {}
  const counts = [
    `looked after ${counted(checked, 'skill')}`,
    `${markedStale} stale`,
    `${archived} archived`,
    ...(reactivated === 0 ? [] : [`${reactivated} active again`]),
    ...(consolidated.length === 0 ? [] : [`${consolidated.length} merged`]),
    ...(held.length === 0 ? [] : [`${held.length} held for you`]),
  ]
  const moved = [
    ...report.transitioned.map(({ name, to, reason }) => oneLine(`${name}: ${to === 'active' ? 'active again' : to}. ${reason}`, 200)),
    ...consolidated.map(({ name, into }) => oneLine(`${name}: merged into ${into}`)),
  ]
  const more = moved.length - MAX_NAMED
  return [
    `· curator: ${counts.join(', ')}`,
    ...moved.slice(0, MAX_NAMED),
    ...(more > 0 ? [`and ${more} more${reportPath === undefined ? '' : `: ${reportPath}/REPORT.md`}`] : []),
    ...(moved.length > 0 && backupId !== undefined ? [`nothing is deleted; the backup ${backupId} has it as it was`] : []),
    ...[...report.warnings, ...problems.map(({ message }) => message)].map((warning) => oneLine(warning, 200)),
  ]
}
