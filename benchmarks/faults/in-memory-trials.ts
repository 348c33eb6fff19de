/** Faults of a storage in memory, at each of its calls. */
import { inMemoryBackend } from '@hermes/core'
import { countsChanges, FAULTS, type FaultName, faultyBackend, IMPATIENT_MS } from './faulty-backend.ts'
import { fillHome, type Scenario, START } from './scenarios.ts'
import { runTrials, spread, type Trials, tryFault } from './try-fault.ts'

type Documents = NonNullable<Parameters<typeof inMemoryBackend>[0]>

const prepare = async (scenario: Scenario): Promise<Documents> => {
  const documents: Documents = new Map()
  const storage = inMemoryBackend(documents)
  await fillHome(storage)
  await scenario.prepare?.(storage)
  return documents
}

/** Without a fault, the scenario must be done. */
const countCalls = async (documents: Documents, scenario: Scenario) => {
  const faulty = faultyBackend(inMemoryBackend(new Map(documents)), (_, call) => call())
  if ((await scenario.act(faulty, START)) !== 'done') throw new Error(`${scenario.name} does not succeed without a fault.`)
  return faulty.counts()
}

/** `most`: the maximum number of calls at which the fault is tried. */
export const tryInMemory = async (scenario: Scenario, fault: FaultName, most: number): Promise<Trials> => {
  const documents = await prepare(scenario)
  const { calls, changes } = await countCalls(documents, scenario)
  const last = countsChanges(fault) ? changes : calls
  return runTrials(scenario.name, fault, spread(last, most), last, (at) => {
    const trial = new Map(documents)
    const options = fault === 'slow disk' ? { sessions: { loadTimeoutMs: IMPATIENT_MS } } : {}
    return tryFault(faultyBackend(inMemoryBackend(trial), FAULTS[fault](at)), inMemoryBackend(trial), scenario, options)
  })
}
