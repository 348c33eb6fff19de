/** What recall costs in a conversation of 50 turns through the AI SDK: the system prompt must not move, and the prefix of the prompt must stay as it was sent. */
import { generateCorpus } from './recall/generate-corpus.ts'
import { MOST_SHARE, measureCost } from './recall/measure-cost.ts'
import { SMALL_SEED, SMALL_SIZES } from './recall/recall-bounds.ts'
import { percent, table } from './recall/recall-report.ts'

export const run = async (): Promise<void> => {
  const cost = await measureCost(generateCorpus(SMALL_SEED, SMALL_SIZES))
  const rows: readonly (readonly [string, string | number, string])[] = [
    ['turns, and calls of the model', `${cost.turns}, ${cost.calls}`, ''],
    ['turns that recalled something', cost.turnsWithRecall, ''],
    ['different system prompts', cost.systemPrompts, '1'],
    ['characters of a prompt that were not sent before, in all calls', cost.uncachedChars, ''],
    ['of them recalled', cost.recalledChars, ''],
    ['the same conversation without recall', cost.idealChars, ''],
    ['not recalled, as a share of it', percent(cost.share), `≤ ${percent(MOST_SHARE)}`],
    ['failures of the provider', cost.failures.join('; ') || 'none', 'none'],
  ]
  console.log(table(['', 'measured', 'wanted'], rows))
}
