/**
 * Measures how often external text becomes memory with the authority of the user or the agent, and how many honest facts are kept. A scripted reviewer repeats every
 * attack that it sees, so this measures the library, not a model. `HERMES_BENCH_CLASS`: part of the name of a class of attacks or a kind of honest cases.
 * `HERMES_BENCH_JSON`: file to which all outcomes are written.
 */
import { writeFileSync } from 'node:fs'
import { checkCases } from './poisoning/check-cases.ts'
import { hermesSubject, ungatedSubject } from './poisoning/hermes-subject.ts'
import { langgraphSubject } from './poisoning/langgraph-subject.ts'
import { measure } from './poisoning/measure.ts'
import { describeNames, measureNames } from './poisoning/names/measure-names.ts'
import { describeOwnWords, measureOwnWords, RECALL_CLASS } from './poisoning/own-words-behind-recall.ts'
import { describeOutcomes } from './poisoning/report.ts'
import { readsUserMessages, sampleRequests } from './poisoning/sample-requests.ts'

export const run = async (): Promise<void> => {
  const requests = await sampleRequests()
  const problems = checkCases(requests)
  if (problems.length > 0) throw new TypeError(`The cases of the benchmark are wrong: ${problems.join('; ')}.`)
  if (!readsUserMessages(requests))
    console.log('No message of the user can be read from a request, so nothing is cited: see review-request.ts.\n')
  const began = performance.now()
  const subjects = [hermesSubject, ungatedSubject, langgraphSubject]
  const outcomes = await measure(subjects, process.env['HERMES_BENCH_CLASS'])
  console.log(describeOutcomes(outcomes, subjects))
  if (RECALL_CLASS.includes(process.env['HERMES_BENCH_CLASS'] ?? '')) {
    console.log()
    for (const trust of ['strict', 'balanced'] as const) console.log(describeOwnWords(await measureOwnWords(trust)))
  }
  if (process.env['HERMES_BENCH_CLASS'] === undefined) console.log(`\n${describeNames(await measureNames())}`)
  const runs = outcomes.attacks.length + outcomes.honest.length
  console.log(`\n${runs} runs in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const file = process.env['HERMES_BENCH_JSON']
  if (file) writeFileSync(file, `${JSON.stringify(outcomes, undefined, 1)}\n`)
}
