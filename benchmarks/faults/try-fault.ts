/** One trial: a scenario with a fault, then the next start. */
import type { HermesOptions, StorageBackend } from '@hermes/core'
import { checkHome, findHalfDocuments } from './check-home.ts'
import { DAY_MS, KEPT, type Outcome, openAt, type Scenario, START } from './scenarios.ts'

const LATER = START + DAY_MS
const AFTERWARDS = 'The next start writes.'

/** A failure of the next start is a finding, too. */
const nextStart = async (storage: StorageBackend): Promise<readonly string[]> => {
  const hermes = openAt(storage, LATER)
  const wrong: string[] = []
  if (!(await hermes.session('next').systemBlock()).includes(KEPT)) wrong.push('the next start does not show the memory')
  const written = await hermes.memoryStore().apply('memory', { action: 'add', content: AFTERWARDS }, { origin: 'user' })
  if (!written.ok) wrong.push(`the next start cannot write: ${written.error.message}`)
  await hermes.settled()
  return wrong
}

/** What is wrong after an interrupted `act`: in the storage as it was left, and after the next start has finished it. */
export const checkAfter = async (storage: StorageBackend, scenario: Scenario, outcome: Outcome): Promise<readonly string[]> => {
  const { expected, isRepeated } = scenario
  const wrong = [...(await findHalfDocuments(storage))]
  if (outcome === 'done') wrong.push(...(await checkHome(storage, START + DAY_MS / 2, expected)))
  wrong.push(...(await nextStart(storage)))
  const repeats = outcome === 'failed' && isRepeated
  // Its answer says less than the state does: what it repeats may have been done before the fault.
  if (repeats) await scenario.act(storage, LATER + 1_000_000)
  wrong.push(...(await findHalfDocuments(storage)))
  // Otherwise only that nothing from before is lost.
  wrong.push(...(await checkHome(storage, LATER + 2_000_000, outcome === 'done' || repeats ? expected : {})))
  return [...new Set(wrong)]
}

/** `faulty` and `storage` hold the same documents. */
export const tryFault = async (
  faulty: StorageBackend,
  storage: StorageBackend,
  scenario: Scenario,
  options: Partial<HermesOptions> = {},
): Promise<readonly string[]> => {
  let outcome: Outcome
  try {
    outcome = await scenario.act(faulty, START, options)
  } catch (cause) {
    return [`it threw: ${String(cause)}`]
  }
  try {
    return await checkAfter(storage, scenario, outcome)
  } catch (cause) {
    return [`the check failed: ${String(cause)}`]
  }
}

export interface Trials {
  readonly scenario: string
  readonly fault: string
  /** Number of calls or changes at which the fault was tried. */
  readonly tried: number
  /** Number of calls or changes of the scenario. */
  readonly of: number
  /** What did not hold, with the number of the call. */
  readonly wrong: readonly string[]
}

/** At most `most` numbers from 1 to `last`, evenly spaced, with both ends. */
export const spread = (last: number, most: number): readonly number[] => {
  if (last <= most) return Array.from({ length: last }, (_, index) => index + 1)
  return Array.from({ length: most }, (_, index) => 1 + Math.round((index * (last - 1)) / (most - 1)))
}

export const runTrials = async (
  scenario: string,
  fault: string,
  numbers: readonly number[],
  of: number,
  run: (at: number) => Promise<readonly string[]>,
): Promise<Trials> => {
  const wrong: string[] = []
  for (const at of numbers) for (const each of await run(at)) wrong.push(`at ${at}: ${each}`)
  return { scenario, fault, tried: numbers.length, of, wrong }
}
