/**
 * Measures how often a question finds the past session that answers it, what is recalled for small talk, how long it takes and what it occupies. No model takes part.
 * - `--index bm25,sqlite`: what is measured, side by side. Default: all but postgres, which starts a server.
 * - `--longmemeval <file>`: asks the questions of a downloaded LongMemEval file instead.
 * - `--sizes`: 1,000, 10,000 and 100,000 messages.
 * - `--seed <number>`: another generated corpus.
 * `HERMES_BENCH_JSON`: file to which all outcomes are written.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkCorpus } from './recall/check-corpus.ts'
import type { Corpus } from './recall/corpus.ts'
import { generateCorpus } from './recall/generate-corpus.ts'
import { LongMemEvalError, readLongMemEval } from './recall/longmemeval.ts'
import { measureRecall, type SubjectOutcome } from './recall/measure-recall.ts'
import { describeSizes, measureSize, SIZES, type SizeOutcome } from './recall/measure-sizes.ts'
import { describeMisses, describeRecall } from './recall/recall-report.ts'
import type { RecallSubject } from './recall/recall-subject.ts'
import { chooseSubjects } from './recall/subjects.ts'

const SEED = 1

const generated = (seed: number): Corpus => {
  const corpus = generateCorpus(seed)
  const problems = checkCorpus(corpus)
  if (problems.length > 0) throw new TypeError(`The corpus of the benchmark is wrong: ${problems.join('; ')}.`)
  return corpus
}

const writeOutcomes = (outcomes: unknown): void => {
  const file = process.env['HERMES_BENCH_JSON']
  if (file) writeFileSync(file, `${JSON.stringify(outcomes, undefined, 1)}\n`)
}

const runQuestions = async (subjects: readonly RecallSubject[], corpora: readonly Corpus[]): Promise<void> => {
  const outcomes: SubjectOutcome[] = []
  for (const subject of subjects) outcomes.push(await measureRecall(subject, corpora))
  console.log(describeRecall(outcomes))
  for (const outcome of outcomes) console.log(`\n${describeMisses(outcome)}`)
  writeOutcomes(outcomes)
}

const runSizes = async (subjects: readonly RecallSubject[], seed: number): Promise<void> => {
  const { questions } = generated(seed)
  const outcomes: SizeOutcome[] = []
  for (const subject of subjects) for (const count of SIZES) outcomes.push(await measureSize(subject, count, questions, seed))
  console.log(describeSizes(outcomes))
  writeOutcomes(outcomes)
}

const OPTIONS = {
  index: { type: 'string' },
  longmemeval: { type: 'string' },
  sizes: { type: 'boolean', default: false },
  seed: { type: 'string', default: String(SEED) },
} as const

const toSeed = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new RangeError(`A seed is a whole number, such as 7, not '${text}'.`)
}

const measure = async (options: readonly string[]): Promise<void> => {
  const { index, longmemeval, sizes, ...rest } = parseArgs({ args: [...options], options: OPTIONS }).values
  const seed = toSeed(rest.seed)
  const corpora = longmemeval === undefined ? [generated(seed)] : await readLongMemEval(longmemeval)
  const subjects = await chooseSubjects(index)
  try {
    if (sizes) await runSizes(subjects, seed)
    else await runQuestions(subjects, corpora)
  } finally {
    for (const subject of subjects) await subject.end()
  }
}

export const run = async (options: readonly string[] = []): Promise<void> => {
  try {
    await measure(options)
  } catch (error) {
    if (!(error instanceof LongMemEvalError) && !(error instanceof RangeError) && !isUsageError(error)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

const isUsageError = (error: unknown): error is TypeError =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
