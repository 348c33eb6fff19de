/** The updates of this process that wait for one object. Those that wait together are one put; after a conflict their plans run again on what is there now. */
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { applyPlan, type Documents } from './apply-plan.ts'
import { type CheckedPlan, checkPlan } from './checked-plan.ts'
import type { NamedPaths } from './named-paths.ts'
import { type PackedTree, packedSize, packTree } from './packed-format.ts'
import type { GuardedStore, LoadedTree } from './packed-store.ts'
import type { Cut, Plan } from './storage-backend.ts'

/** Ids of the last writes that the object keeps: as many others may write before somebody whose answer was lost looks. */
const KEPT_IDS = 64
const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 400
const MOST_FAILURES = 5

type Outcome = { readonly result: Result<unknown> } | { readonly thrown: unknown }

interface Waiting {
  readonly named: NamedPaths
  readonly plan: (cut: Cut) => Plan<unknown>
  readonly end: number
  readonly settle: (outcome: Outcome) => void
}

/** A put, with what each update resolves to if it was done. */
interface Attempt {
  readonly id: string
  /** Of the object that it replaces. */
  readonly tag: string | undefined
  readonly outcomes: ReadonlyMap<Waiting, Outcome>
  readonly tree: PackedTree
}

export interface PackedUpdatesOptions {
  readonly store: GuardedStore
  readonly key: string
  readonly maxBytes: number
  readonly random: () => number
  readonly createId: () => string
  readonly cutOf: (tree: PackedTree, named: NamedPaths) => Cut
}

const isNothing = ({ moves, puts, appends }: CheckedPlan<unknown>): boolean => moves.length === 0 && puts.size === 0 && appends.size === 0

/** The stamps of what was not touched stay. */
const stampAll = (documents: Documents, before: PackedTree, id: string): ReadonlyMap<string, string> =>
  new Map([...documents].map(([path, document]) => [path, before.documents.get(path) === document ? (before.stamps.get(path) ?? id) : id]))

export const createPackedUpdates = ({ store, key, maxBytes, random, createId, cutOf }: PackedUpdatesOptions) => {
  let queue: Waiting[] = []
  let isDraining = false
  /** Those that may be done although nobody knows. */
  const sent = new Set<Waiting>()

  const newId = (): string => createId().replaceAll('-', '')

  const tooLarge = (size: number): HermesError =>
    new HermesError(
      'no_space',
      `The object '${key}' would have ${size} bytes, but may have at most ${maxBytes}. Remove what is no longer needed, raise maxBytes, or use a back end that keeps each document apart; nothing was written.`,
      { details: { key, size, maxBytes } },
    )

  /** Runs one plan on the documents as those before it have left them. */
  const runOne = ({ named, plan }: Waiting, tree: PackedTree): { readonly outcome: Outcome; readonly documents: Documents } => {
    const { documents } = tree
    let planned: CheckedPlan<unknown>
    try {
      planned = checkPlan(plan(cutOf(tree, named)), named)
    } catch (thrown) {
      return { outcome: { thrown }, documents }
    }
    const value = { result: ok(planned.value) }
    if (isNothing(planned)) return { outcome: value, documents }
    const after = applyPlan(documents, planned)
    if (!after.ok) return { outcome: { result: after }, documents }
    const size = packedSize(after.value, KEPT_IDS)
    if (size > maxBytes && size >= packedSize(documents, KEPT_IDS)) return { outcome: { result: err(tooLarge(size)) }, documents }
    return { outcome: value, documents: after.value }
  }

  const run = (waiting: readonly Waiting[], loaded: LoadedTree): Attempt => {
    const id = newId()
    const outcomes = new Map<Waiting, Outcome>()
    let tree: PackedTree = loaded
    for (const each of waiting) {
      const { outcome, documents } = runOne(each, tree)
      outcomes.set(each, outcome)
      // An id of its own: the next plan sees what this one has written, under its stamp.
      if (documents !== tree.documents) tree = { ...tree, documents, stamps: stampAll(documents, tree, newId()) }
    }
    return { id, tag: loaded.tag, outcomes, tree: tree === loaded ? loaded : { ...tree, ids: [...loaded.ids, id].slice(-KEPT_IDS) } }
  }

  const settle = (outcomes: ReadonlyMap<Waiting, Outcome>): void => {
    queue = queue.filter((each) => !outcomes.has(each))
    for (const [each, outcome] of outcomes) each.settle(outcome)
  }

  const unknown = (why: string): HermesError =>
    new HermesError(
      'io',
      `The answer of the store was lost while the object '${key}' was put: it is unknown whether the update was done. Read before you try again. ${why}`,
      { details: { key } },
    )

  const busy = (): HermesError =>
    new HermesError('locked', `Others changed the object '${key}' too often. Nothing was written; try again, or raise timeoutMs.`, {
      details: { key },
    })

  const noteSent = (attempts: readonly Attempt[]): void => {
    sent.clear()
    for (const { outcomes } of attempts) for (const each of outcomes.keys()) sent.add(each)
  }

  /** `problem`: what went wrong last, if anything. */
  const giveUp = (ended: readonly Waiting[], problem: HermesError | undefined): void => {
    const errorOf = (each: Waiting) => (sent.has(each) ? unknown(problem?.message ?? '') : (problem ?? busy()))
    settle(new Map(ended.map((each) => [each, { result: err(errorOf(each)) }])))
  }

  /** Puts what an attempt has made. An error: nobody knows whether it was done. */
  const put = async ({ tree, tag }: Attempt, end: number): Promise<HermesError | 'overtaken' | 'done'> => {
    try {
      return (await store.put(await packTree(tree), tag, end)) ? 'done' : 'overtaken'
    } catch (cause) {
      return store.failed(cause)
    }
  }

  const drain = async (): Promise<void> => {
    /** Attempts whose answers were lost. */
    let doubtful: Attempt[] = []
    for (let failures = 0, tries = 1; queue.length > 0; tries++) {
      const end = Math.max(...queue.map((each) => each.end))
      const loaded = await store.load(end)
      if (!loaded.ok) return giveUp(queue, loaded.error)
      for (const { id, outcomes } of doubtful) if (loaded.value.ids.includes(id)) settle(outcomes)
      // What was put on an object that has changed since is not done later.
      doubtful = doubtful.filter(({ tag }) => tag === loaded.value.tag)
      noteSent(doubtful)
      const attempt = run(queue, loaded.value)
      if (attempt.tree === loaded.value) {
        settle(attempt.outcomes)
        continue
      }
      noteSent([...doubtful, attempt])
      const answer = await put(attempt, end)
      if (answer === 'done') {
        settle(attempt.outcomes)
        ;[doubtful, failures, tries] = [[], 0, 0]
        continue
      }
      if (answer !== 'overtaken') {
        doubtful = [...doubtful, attempt]
        if (++failures >= MOST_FAILURES) return giveUp(queue, answer)
      }
      noteSent(doubtful)
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * random())
    }
  }

  const startDraining = async (): Promise<void> => {
    if (isDraining) return
    isDraining = true
    try {
      while (queue.length > 0) await drain()
    } finally {
      isDraining = false
    }
  }

  return <T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>, end: number): Promise<Result<T>> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => giveUp([waiting], undefined), end - performance.now())
      const waiting: Waiting = {
        named,
        plan,
        end,
        settle(outcome) {
          clearTimeout(timer)
          if ('thrown' in outcome) reject(outcome.thrown)
          else resolve(outcome.result as Result<T>)
        },
      }
      queue.push(waiting)
      startDraining().catch(reject)
    })
}
