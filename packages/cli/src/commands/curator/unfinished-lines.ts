/** Lines for interrupted work, each with the command that completes it. Empty if there is none. */
import type { CuratorStatus } from '@hermes/core/curator'
import { counted } from '../../terminal/gauge.ts'
import { formatSpan, relativeTime } from '../../terminal/relative-time.ts'

export const unfinishedLines = ({ unfinished, running }: Pick<CuratorStatus, 'unfinished' | 'running'>, now: number): readonly string[] => {
  const { rollback, runs, merge } = unfinished
  const isRollback = running !== undefined && rollback !== undefined
  return [
    ...(rollback
      ? [
          `A rollback to ${rollback.target} began ${relativeTime(rollback.startedAt, now)} and is not finished. If it is no longer running: 'hermes curator backup' finishes it, as does any command that changes skills. Nothing is lost; the skills as they were before are in the backup ${rollback.safety}.`,
        ]
      : []),
    ...(running && !isRollback
      ? [
          `A run began ${relativeTime(running.startedAt, now)} and may keep its lock for ${formatSpan(running.expiresAt - now) || 'a moment'} more. If it crashed: 'hermes curator run --force' takes over and settles it.`,
        ]
      : []),
    ...runs.map(
      ({ startedAt, planned }) =>
        `A run that began ${relativeTime(startedAt, now)} was interrupted${planned.length === 0 ? '' : `, with ${counted(planned.length, 'transition')} planned`}. No skill is lost: 'hermes curator run' settles it.`,
    ),
    ...(merge === undefined
      ? []
      : [`A merge into '${merge}' was interrupted. No skill is lost: 'hermes curator run' finishes or undoes it.`]),
  ]
}
