/**
 * Measures how often a question finds the past session that answers it, what is recalled for small talk, how long it takes and what it occupies. No model takes part.
 * `HERMES_BENCH_JSON`: file to which all outcomes are written.
 */
import { writeFileSync } from 'node:fs'
import { bareBm25 } from './recall/bare-bm25.ts'
import { checkCorpus } from './recall/check-corpus.ts'
import { generateCorpus } from './recall/generate-corpus.ts'
import { measureRecall } from './recall/measure-recall.ts'
import { describeMisses, describeRecall } from './recall/recall-report.ts'

const SEED = 1

export const run = async (): Promise<void> => {
  const corpus = generateCorpus(SEED)
  const problems = checkCorpus(corpus)
  if (problems.length > 0) throw new TypeError(`The corpus of the benchmark is wrong: ${problems.join('; ')}.`)
  const outcomes = [await measureRecall(bareBm25, corpus)]
  console.log(describeRecall(outcomes))
  for (const outcome of outcomes) console.log(`\n${describeMisses(outcome)}`)
  const file = process.env['HERMES_BENCH_JSON']
  if (file) writeFileSync(file, `${JSON.stringify(outcomes, undefined, 1)}\n`)
}
