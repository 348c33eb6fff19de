/**
 * How often a question finds the past session that answers it, what is recalled for small talk, how long it takes and what it occupies. No model takes part.
 * `--index bm25,sqlite,local,vectors,postgres`: what is measured, side by side; the first two by default. `local` also finds by meaning with the model of
 * `embed: 'local'`, which takes minutes to index; `vectors` has vectors of no meaning, for `sizes`; `postgres` starts a server. `--seed`: another generated corpus.
 * - `questions`: `--longmemeval <file>` asks the questions of a downloaded LongMemEval file instead; `--misses` also lists what was not found.
 * - `sizes`: 1,000, 10,000 and 100,000 messages.
 * - `cost`: what recall adds to 50 turns through the AI SDK: the system prompt must not move, and the prefix of the prompt must stay as it was sent.
 */
import { parseArgs } from 'node:util'
import { checkCorpus } from './recall/check-corpus.ts'
import type { Corpus } from './recall/corpus.ts'
import { generateCorpus } from './recall/generate-corpus.ts'
import { readLongMemEval } from './recall/longmemeval.ts'
import { MOST_SHARE, measureCost } from './recall/measure-cost.ts'
import { measureRecall, type SubjectOutcome } from './recall/measure-recall.ts'
import { describeSizes, measureSize, SIZES, type SizeOutcome, summariseSizes } from './recall/measure-sizes.ts'
import { SMALL_SEED, SMALL_SIZES } from './recall/recall-bounds.ts'
import { describeMisses, describeRecall, summariseRecall } from './recall/recall-report.ts'
import type { RecallSubject } from './recall/recall-subject.ts'
import { chooseSubjects } from './recall/subjects.ts'
import { describeMeasuring, type Part, percent, table } from './report.ts'

const generated = (seed: number): Corpus => {
  const corpus = generateCorpus(seed)
  const problems = checkCorpus(corpus)
  if (problems.length > 0) throw new TypeError(`The corpus of the benchmark is wrong: ${problems.join('; ')}.`)
  return corpus
}

const toSeed = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new RangeError(`A seed is a whole number, such as 7, not '${text}'.`)
}

const OPTIONS = {
  index: { type: 'string' },
  longmemeval: { type: 'string' },
  misses: { type: 'boolean' },
  seed: { type: 'string', default: '1' },
} as const

const withSubjects = async <T>(
  index: string | undefined,
  measure: (subject: RecallSubject) => Promise<readonly T[]>,
): Promise<readonly T[]> => {
  const subjects = await chooseSubjects(index)
  try {
    const outcomes: T[] = []
    for (const subject of subjects) outcomes.push(...(await measure(subject)))
    return outcomes
  } finally {
    for (const subject of subjects) await subject.end()
  }
}

const questions: Part = async (args) => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const corpora = values.longmemeval === undefined ? [generated(toSeed(values.seed))] : await readLongMemEval(values.longmemeval)
  const outcomes = await withSubjects<SubjectOutcome>(values.index, async (subject) => [await measureRecall(subject, corpora)])
  const misses = values.misses === true ? outcomes.map((outcome) => describeMisses(outcome)) : []
  return {
    blocks: [describeRecall(outcomes), ...misses],
    ...(values.longmemeval === undefined ? { page: () => summariseRecall(outcomes) } : {}),
    outcomes,
  }
}

const sizes: Part = async (args) => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const seed = toSeed(values.seed)
  const asked = generated(seed).questions
  const outcomes = await withSubjects<SizeOutcome>(values.index, async (subject) => {
    const each: SizeOutcome[] = []
    for (const count of SIZES) each.push(await measureSize(subject, count, asked, seed))
    return each
  })
  return { blocks: [describeSizes(outcomes)], page: (measured) => `${summariseSizes(outcomes)} ${describeMeasuring(measured)}`, outcomes }
}

const cost: Part = async () => {
  const measured = await measureCost(generateCorpus(SMALL_SEED, SMALL_SIZES))
  const rows: readonly (readonly [string, string | number, string])[] = [
    ['turns, and calls of the model', `${measured.turns}, ${measured.calls}`, ''],
    ['turns that recalled something', measured.turnsWithRecall, ''],
    ['different system prompts', measured.systemPrompts, '1'],
    ['characters of a prompt that were not sent before, in all calls', measured.uncachedChars, ''],
    ['of them recalled', measured.recalledChars, ''],
    ['the same conversation without recall', measured.idealChars, ''],
    ['not recalled, as a share of it', percent(measured.share), `≤ ${percent(MOST_SHARE)}`],
    ['failures of the provider', measured.failures.join('; ') || 'none', 'none'],
  ]
  return { blocks: [table(['', 'measured', 'wanted'], rows)], outcomes: measured }
}

export const parts = { questions, sizes, cost }
