/** What a run of the curator did, in lines to be indented after the first: the counts, then each skill that moved, and where it is kept. */
import type { CuratorRun } from '@hermes/core'
import { countTransitions, type SkillTransition } from '@hermes/core/curator'
import { oneLine } from '../terminal/clean-text.ts'

/** Skills named at the most; the report has all of them. */
const MAX_NAMED = 8

const describeTransition = ({ name, to, reason }: SkillTransition): string =>
  oneLine(`${name}: ${to === 'active' ? 'active again' : to}. ${reason}`, 200)

const describeMerged = ({ consolidation }: CuratorRun): readonly string[] =>
  (consolidation?.consolidated ?? []).map(({ name, into }) => oneLine(`${name}: merged into ${into}`))

const counts = (run: CuratorRun): string => {
  const { checked, markedStale, archived, reactivated } = countTransitions(run.report)
  const merged = run.consolidation?.consolidated.length ?? 0
  const held = run.consolidation?.held.length ?? 0
  return [
    `looked after ${checked} ${checked === 1 ? 'skill' : 'skills'}`,
    `${markedStale} stale`,
    `${archived} archived`,
    ...(reactivated === 0 ? [] : [`${reactivated} active again`]),
    ...(merged === 0 ? [] : [`${merged} merged`]),
    ...(held === 0 ? [] : [`${held} held for you`]),
  ].join(', ')
}

export const describeCuratorRun = (run: CuratorRun): readonly string[] => {
  const { report, backupId, reportPath, problems } = run
  const moved = [...report.transitioned.map(describeTransition), ...describeMerged(run)]
  const more = moved.length - MAX_NAMED
  return [
    `· curator: ${counts(run)}`,
    ...moved.slice(0, MAX_NAMED),
    ...(more > 0 ? [`and ${more} more${reportPath === undefined ? '' : `: ${reportPath}/REPORT.md`}`] : []),
    ...(moved.length > 0 && backupId !== undefined ? [`nothing is deleted; the backup ${backupId} has it as it was`] : []),
    ...[...report.warnings, ...problems.map(({ message }) => message)].map((warning) => oneLine(warning, 200)),
  ]
}
