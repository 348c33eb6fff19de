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
          `A rollback to ${rollback.target} began ${relativeTime(rollback.startedAt, now)} and is not finished. Unless it is still under way: 'hermes curator backup' finishes it, as does any command that changes skills. Nothing is lost; what was there before is in the backup ${rollback.safety}.`,
        ]
      : []),
    ...(running && !isRollback
      ? [
          `A run began ${relativeTime(running.startedAt, now)} and may hold its place for ${formatSpan(running.expiresAt - now) || 'a moment'} more. If it crashed: 'hermes curator run --force' takes over and puts everything in order.`,
        ]
      : []),
    ...runs.map(
      ({ startedAt, planned }) =>
        `The run of ${relativeTime(startedAt, now)} was interrupted${planned.length === 0 ? '' : ` among ${counted(planned.length, 'transition')}`}. No skill is lost: 'hermes curator run' puts everything in order.`,
    ),
    ...(merge === undefined
      ? []
      : [`A merge into '${merge}' was interrupted. No skill is lost: 'hermes curator run' finishes or undoes it.`]),
  ]
}
