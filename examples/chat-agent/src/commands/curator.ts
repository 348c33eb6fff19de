/** `/curator`: whether the upkeep of the skills is on, when it comes, and how the skills stand. */
import type { CuratorStatus } from '@hermes/core/curator'
import { oneLine } from '../terminal/clean-text.ts'
import { wrapText } from '../terminal/word-wrap.ts'
import type { Command } from './command.ts'

const NAME_WIDTH = 8

const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

const describeNext = ({ due }: CuratorStatus): string => {
  if (due.due) return 'due as soon as nobody works'
  switch (due.reason) {
    case 'interval':
      return `the next run is due on ${minute(due.nextAt)}`
    case 'disabled':
      return 'off: config.yaml says so'
    case 'paused':
      return "paused until 'hermes curator resume'"
    default:
      return 'the first run comes an interval after the first look'
  }
}

const describeRun = ({ running, state: { lastRunAt, lastRunSummary, runCount } }: CuratorStatus): string => {
  if (running) return `under way since ${minute(running.startedAt)}`
  return runCount === 0 || lastRunAt === undefined ? 'never' : `${minute(lastRunAt)}${lastRunSummary ? `, ${lastRunSummary}` : ''}`
}

const describeSkills = ({ counts: { active, stale, archived, managed, unmanaged } }: CuratorStatus): string =>
  `${active} active, ${stale} stale, ${archived} archived; ${managed} looked after, ${unmanaged} left alone`

const describeBackups = ({ backups: { count, newest } }: CuratorStatus): string =>
  newest === undefined ? 'none yet; a run takes one before it changes anything' : `${count}, the newest ${newest.id} (${newest.reason})`

const describeUnfinished = ({ unfinished: { rollback, runs, merge } }: CuratorStatus): readonly string[] => [
  ...(rollback ? [`A rollback to ${rollback.target} is not finished; the next start of the chat finishes it.`] : []),
  ...(runs.length > 0 ? ['A run was interrupted; the next one puts it in order.'] : []),
  ...(merge === undefined ? [] : [`A merge into ${oneLine(merge)} was interrupted; the next run settles it.`]),
]

export const curatorCommand: Command = {
  name: 'curator',
  usage: '/curator',
  summary: 'the upkeep of the skills: when it runs, what it did, how they stand',
  run: async (_argument, { terminal: { print, paint, columns }, hermes }) => {
    const read = await hermes.curator.status()
    if (!read.ok) {
      print(paint.red(wrapText(`The curator cannot be read: ${oneLine(read.error.message)}`, columns, '  ')))
      return undefined
    }
    const status = read.value
    const field = (name: string, value: string): void => {
      if (value !== '') print(wrapText(`${name.padEnd(NAME_WIDTH)} ${oneLine(value, 400)}`, columns, ' '.repeat(NAME_WIDTH + 1)))
    }
    field('curator', describeNext(status))
    field('last run', describeRun(status))
    field('skills', describeSkills(status))
    field('pinned', status.pinned.join(', '))
    field('backups', describeBackups(status))
    const troubles = [...describeUnfinished(status), ...status.problems.map(({ message }) => oneLine(message))]
    for (const trouble of troubles) print(paint.red(wrapText(trouble, columns, '  ')))
    return undefined
  },
}
