/**
 * A wrong change is taken back: a fact was replaced or removed, alone or with other changes after it. What is there then is compared with the memory of a twin, in which the wrong
 * change never happened.
 */
import { type Context, forEach, type Outcomes, withWorker } from '../harness/context.ts'
import type { Worker } from '../harness/processes.ts'
import { fact, facts } from '../harness/texts.ts'
import { peersOf } from '../peers.ts'

const PRESENT = 12
/** The facts that are wrongly changed, each in a memory of its own. */
const CHANGED = [0, 5, 11] as const
const WRONG = [undefined, 'All projects were cancelled, and no team owns anything any more.'] as const
/** Afterwards somebody adds facts, and corrects one. */
const ADDED = 2
const [CORRECTED, CORRECTION] = [8, 'The server of project 56 is on Friday now.'] as const

export interface Undone {
  readonly tries: number
  /** Tries after which the text is byte for byte that of the twin. */
  readonly bytes: number
  /** Facts of the twin, over all tries, and how many of them are there. */
  readonly facts: number
  readonly back: number
  /** Tries in which the peer did not take the change back, and said so. */
  readonly refused: number
}

export interface Undo {
  readonly alone: Undone
  /** With other changes after the wrong one. */
  readonly behind: Undone
}

const goOn = async (worker: Worker): Promise<void> => {
  await worker.ask('write', { facts: facts(PRESENT, ADDED) })
  await worker.ask('change', { fact: fact(CORRECTED), to: CORRECTION })
}

const factsAfter = (isBehind: boolean): readonly string[] =>
  isBehind ? [...facts(0, PRESENT + ADDED).filter((_, at) => at !== CORRECTED), CORRECTION] : facts(0, PRESENT)

const inMemory = async (worker: Worker, folder: string, isBehind: boolean, wrong: (worker: Worker) => Promise<unknown>) => {
  await worker.ask('open', { folder })
  await worker.ask('write', { facts: facts(0, PRESENT) })
  const change = await wrong(worker)
  if (isBehind) await goOn(worker)
  const refused =
    typeof change !== 'number'
      ? 0
      : await worker.ask('undo', { change }).then(
          () => 0,
          () => 1,
        )
  const text = String(await worker.ask('read', {}))
  await worker.ask('close', {})
  return { text, refused }
}

const measure = async (worker: Worker, name: string, isBehind: boolean, context: Context): Promise<Undone> => {
  const twin = await inMemory(worker, context.folder(name), isBehind, async () => undefined)
  const expected = factsAfter(isBehind)
  const missing = expected.filter((each) => !twin.text.includes(each))
  if (missing.length > 0) throw new Error(`Without a wrong change, the memory lacks: ${missing.join(' ')}`)
  const sum = { tries: 0, bytes: 0, facts: 0, back: 0, refused: 0 }
  for (const at of CHANGED)
    for (const to of WRONG) {
      const wrong = (asked: Worker) => asked.ask('change', { fact: fact(at), ...(to !== undefined && { to }) })
      const { text, refused } = await inMemory(worker, context.folder(name), isBehind, wrong)
      sum.tries++
      sum.bytes += text === twin.text ? 1 : 0
      sum.facts += expected.length
      sum.back += expected.filter((each) => text.includes(each)).length
      sum.refused += refused
    }
  return sum
}

export const measureUndo = (context: Context): Promise<Outcomes<Undo>> =>
  forEach(peersOf('undo', context.peers), ({ name }) =>
    withWorker(name, context, async (worker) => ({
      alone: await measure(worker, name, false, context),
      behind: await measure(worker, name, true, context),
    })),
  )
