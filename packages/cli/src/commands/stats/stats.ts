/** `hermes stats`: how memory grew, what was learned and rejected, how skills are used, what it cost, and what the index of past sessions holds. */

import { estimateTokens } from '@hermes/core/review'
import { readUsesByDay } from '@hermes/core/skills'
import { failed, isRefusal, type Refusal } from '../../answer.ts'
import { wholeNumber } from '../../arguments.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { openJournal } from '../journal/read-journal.ts'
import { readAllStores } from '../memory/memory-view.ts'
import { openUsage } from '../skills/library.ts'
import { GROUPINGS, showCost } from './cost.ts'
import { countRecords, spanDays } from './count-records.ts'
import { showIndex } from './index-stats.ts'
import { renderStats, type Stats } from './stats-view.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 84
const MAX_DAYS = 3_660

const readSkillUse = async (context: Context) => {
  const now = context.clock()
  const records = [...(await openUsage(context).all()).values()]
  const usesByDay = new Map<number, number>()
  const today = Math.floor(now / DAY_MS)
  for (const record of records) {
    for (const [index, uses] of readUsesByDay(record.usesByDay, now).toReversed().entries()) {
      if (uses > 0) usesByDay.set(today - index, (usesByDay.get(today - index) ?? 0) + uses)
    }
  }
  const total = (key: 'useCount' | 'successCount' | 'correctionCount'): number => records.reduce((sum, record) => sum + record[key], 0)
  const count = records.filter(({ state }) => state !== 'archived').length
  return { usesByDay, skills: { count, uses: total('useCount'), successes: total('successCount'), corrections: total('correctionCount') } }
}

const readStats = async (days: number, context: Context): Promise<Stats | Refusal> => {
  const now = context.clock()
  const listed = await openJournal(context).list({
    since: (Math.floor(now / DAY_MS) + 1 - Math.ceil(days / spanDays(days)) * spanDays(days)) * DAY_MS,
  })
  if (!listed.ok) return failed(listed.error)
  const { stores, problems } = await readAllStores(context)
  for (const { message } of problems) context.warn(message)
  const entries = stores.reduce((sum, store) => sum + store.entries.length, 0)
  const { usesByDay, skills } = await readSkillUse(context)
  const { openHermes } = await import('../../open-hermes.ts')
  const block = await openHermes(context).sessions.nextBlock()
  return {
    days,
    spanDays: spanDays(days),
    spans: countRecords(listed.value, { now, days, entries, usesByDay }),
    entries,
    prompt: { chars: [...block].length, tokens: estimateTokens(block) },
    skills,
  }
}

export const statsCommand = defineCommand({
  describe: 'Show how memory grew, what was learned and rejected, how skills are used, and what it cost.',
  examples: [
    ['hermes stats', 'the last twelve weeks, week by week'],
    ['hermes stats --days 14', 'the last two weeks, day by day'],
    ['hermes stats --by model --days 30', 'calls and tokens of each model that reviews and the curator used'],
    ['hermes stats --index --check', 'the index of past sessions: its size, what waits, and whether it is damaged'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser
      .option('days', {
        coerce: wholeNumber('days', 1, MAX_DAYS),
        requiresArg: true,
        conflicts: ['index', 'check'],
        describe: `how far back; up to 31 by day, more by week, in UTC  [default: ${DEFAULT_DAYS}, with --by: all]`,
      })
      .option('by', {
        choices: GROUPINGS,
        requiresArg: true,
        conflicts: ['index', 'check'],
        describe: 'instead, what learning cost, by this',
      })
      .option('index', { type: 'boolean', describe: 'instead, what the index of past sessions holds, and what waits for delivery to it' })
      .option('check', { type: 'boolean', describe: 'with --index: read the whole index and look for damage' }),
  run: async ({ days, by, index = false, check = false }, context) => {
    if (by !== undefined) return showCost(by, days && context.clock() - days * DAY_MS, context)
    if (index || check) return showIndex(check, context)
    const stats = await readStats(days ?? DEFAULT_DAYS, context)
    if (isRefusal(stats)) return stats
    return { value: stats, text: (terminal) => renderStats(stats, terminal) }
  },
})
