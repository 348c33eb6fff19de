/** `/curator`: whether the upkeep of the skills is on, when it comes, and how the skills stand. */
import type { CuratorStatus } from '@hermes/core/curator'
import { tell } from '@hermes/example-chat-parts/terminal'
import { minute, oneLine } from '@hermes/example-chat-parts/text'
import type { Command } from './command.ts'

const NAME_WIDTH = 8

const describeNext = ({ due }: CuratorStatus): string => {
  if (due.due) return 'due as soon as the agent is idle'
  if (due.reason === 'interval') return `the next run is due on ${minute(due.nextAt)}`
  if (due.reason === 'disabled') return 'switched off in config.yaml'
  return due.reason === 'paused' ? "paused until 'hermes curator resume'" : 'the first run is due one interval after the first check'
}

const describeRun = ({ mergingUntil, state: { lastRunAt, lastRunSummary, runCount } }: CuratorStatus): string => {
  if (mergingUntil !== undefined) return 'asking a model about merges now'
  return runCount === 0 || lastRunAt === undefined ? 'never' : `${minute(lastRunAt)}${lastRunSummary ? `, ${lastRunSummary}` : ''}`
}

export const curatorCommand: Command = {
  usage: '/curator',
  summary: 'the upkeep of the skills: when it runs, what it did, their state',
  run: async (_argument, { terminal, hermes }) => {
    const read = await hermes.curator.status()
    if (!read.ok) return tell(terminal, `The curator cannot be read: ${oneLine(read.error.message)}`, '  ', 'red')
    const { counts, pinned, backups } = read.value
    const { active, stale, archived, managed, unmanaged } = counts
    const fields = {
      curator: describeNext(read.value),
      'last run': describeRun(read.value),
      skills: `${active} active, ${stale} stale, ${archived} archived; ${managed} managed, ${unmanaged} not managed`,
      pinned: pinned.join(', '),
      backups: backups.newest
        ? `${backups.count}, the newest ${backups.newest.id} (${backups.newest.reason})`
        : 'none yet; a run takes one before it changes anything',
    }
    for (const [name, value] of Object.entries(fields))
      if (value !== '') tell(terminal, `${name.padEnd(NAME_WIDTH)} ${oneLine(value, 400)}`, ' '.repeat(NAME_WIDTH + 1))
    for (const { message } of read.value.problems) tell(terminal, oneLine(message), '  ', 'red')
  },
}
