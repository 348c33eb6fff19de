/**
 * An update: one statement reads what it names, the plan runs, one statement writes if all that the plan has seen is still so, and answers with a fresh
 * cut if it is not. Each update has an id that the database keeps, so one whose answer was lost is asked for again and never done twice.
 */
import { err, ok, type Result } from '@hermes/core'
import { type CheckedPlan, type Cut, checkPlan, type NamedPaths, type Plan } from '@hermes/core/storage'
import type { Driver, Row } from '../drivers/driver.ts'
import { judgeFailure } from '../failures/judge-failure.ts'
import type { Patience } from '../failures/patience.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { type CutRows, namedValues, ROWS, toCutRows } from './cut-rows.ts'
import { homeOf } from './home-lock.ts'
import type { InTurn } from './in-turn.ts'
import { type Changes, isNothing, NO_CHANGES, toChanges, tooLong, toValues } from './plan-request.ts'
import { createSeenCut, NOTHING_SEEN, type Seen } from './seen-cut.ts'
import { refusalError, tooBusy, tooLarge, tooLate, unanswered, wrongIsolation } from './update-errors.ts'

/** Stale answers after which the updates of this process to the same home run one after another. */
const MOST_STALE = 2
const MOST_CONTENDED = 1_000

export interface UpdateDeps {
  readonly driver: Driver
  readonly names: SchemaNames
  readonly createId: () => string
  readonly maxDocumentBytes: number
  readonly inTurn: InTurn
  /** Homes in which updates were often overtaken. */
  readonly contended: Set<string>
}

export interface UpdateRequest<T> {
  readonly named: NamedPaths
  readonly plan: (cut: Cut) => Plan<T>
  readonly durable: boolean
  readonly patience: Patience
  /** The first cut, if it need not be read. */
  readonly first: CutRows | undefined
  /** A cut, once the tables are there. */
  readonly read: (whole: readonly string[]) => Promise<Result<CutRows>>
}

/** What one attempt would resolve to if it is the one that was done. */
type Outcome<T> = () => Result<T>

interface Attempt<T> {
  readonly outcome: Outcome<T>
  readonly changes: Changes
  readonly seen: Seen
}

type Answer<T> = { readonly kind: 'ended'; readonly result: Result<T> } | { readonly kind: 'stale'; readonly cut: CutRows }

const createAttempts = <T>(deps: UpdateDeps, { named, plan, durable, patience, read }: UpdateRequest<T>) => {
  const { driver, names, maxDocumentBytes: most } = deps
  const id = deps.createId()
  const paths = [...named.documents, ...named.folders.map((folder) => `${folder}/`)]
  const [documents, folders] = namedValues(named)
  const home = homeOf(named)
  const outcomes: Outcome<T>[] = []
  /** A request was sent and not answered, so it may still come to the server. */
  let isDoubtful = false
  /** Large documents that the plan has asked for. */
  const whole = new Set<string>()

  /** Undefined if the plan has asked for large documents. */
  const prepare = (rows: CutRows): Attempt<T> | undefined => {
    const { cut, seen, wanted } = createSeenCut(named, rows)
    const isUnread = () => {
      for (const path of wanted) whole.add(path)
      return wanted.size > 0
    }
    const nothing = (outcome: Outcome<T>) => ({ outcome, changes: NO_CHANGES, seen: NOTHING_SEEN })
    let checked: CheckedPlan<T>
    try {
      checked = checkPlan(plan(cut), named)
    } catch (cause) {
      if (isUnread()) return undefined
      return nothing(() => {
        throw cause
      })
    }
    if (isUnread()) return undefined
    const long = tooLong(checked, most)
    if (long) return nothing(() => err(tooLarge(...long, most)))
    const outcome = () => ok(checked.value)
    return isNothing(checked) ? nothing(outcome) : { outcome, changes: toChanges(checked), seen: seen() }
  }

  const readAnswer = (rows: readonly Row[]): Answer<T> => {
    const [first] = rows
    const ended = (result: Result<T>) => ({ kind: 'ended' as const, result })
    switch (first?.['kind']) {
      case 'stale':
        return { kind: 'stale', cut: toCutRows(rows.slice(1), patience) }
      case 'late':
        return ended(err(tooLate(paths)))
      case 'isolation':
        return ended(err(wrongIsolation()))
      case 'refused':
        return ended(err(refusalError(String(first['path']), most)))
      default:
        return ended((outcomes[Number(first?.['size'])] ?? (() => err(tooLate(paths))))())
    }
  }

  /** Asks again after a failure that may pass: the database knows whether it has done the update. */
  const send = async ({ changes, seen }: Attempt<T>, until: number): Promise<readonly Row[] | Result<T>> => {
    const statement = `select ${ROWS} from ${names.update}($1::text::uuid, $2::integer, $3::text, $4::bytea)`
    for (;;) {
      if (patience.left() <= 0) return err(isDoubtful ? unanswered(paths, tooLate(paths)) : tooLate(paths))
      const request = { home, waitMs: patience.forServer(), until, durable, seen, named: documents, folders, whole: [...whole] }
      try {
        return await patience.limit(driver.query(statement, toValues(id, outcomes.length - 1, request, changes, most)))
      } catch (cause) {
        const { kind, error } = judgeFailure(cause)
        isDoubtful ||= kind === 'dropped'
        if (kind === 'no_tables' || kind === 'final' || !(await patience.pause())) return err(isDoubtful ? unanswered(paths, error) : error)
      }
    }
  }

  return {
    /** Runs the plan on a cut and sends what it wants changed. Throws what the plan throws. */
    async attempt(rows: CutRows): Promise<Answer<T>> {
      const prepared = prepare(rows)
      if (!prepared) {
        const answered = await read([...whole])
        return answered.ok ? this.attempt(answered.value) : { kind: 'ended', result: answered }
      }
      // What comes to nothing is sent all the same if an earlier attempt could otherwise still be done, too late.
      if (prepared.changes === NO_CHANGES && !isDoubtful) return { kind: 'ended', result: prepared.outcome() }
      outcomes.push(prepared.outcome)
      const answered = await send(prepared, rows.until)
      return 'ok' in answered ? { kind: 'ended', result: answered } : readAnswer(answered)
    },
    home,
    paths,
  }
}

/** Resolves to the value of the plan that was done, or to an error; rejects with what the plan threw. */
export const updateDocuments = async <T>(deps: UpdateDeps, request: UpdateRequest<T>): Promise<Result<T>> => {
  const { contended, inTurn } = deps
  const { patience, first, read } = request
  const attempts = createAttempts(deps, request)
  const { home, paths } = attempts

  /** Ends with a cut once it was overtaken `most` times in a row. */
  const run = async (most: number): Promise<Answer<T>> => {
    let cut = first
    for (let stale = 0; ; ) {
      if (!cut) {
        const answered = await read([])
        if (!answered.ok) return { kind: 'ended', result: answered }
        cut = answered.value
      }
      const answer = await attempts.attempt(cut)
      if (answer.kind === 'ended') {
        if (stale === 0 && most === Number.POSITIVE_INFINITY) contended.delete(home)
        return answer
      }
      cut = answer.cut
      if (++stale >= most) return answer
      // The first repetition comes at once, while its cut is fresh. Every other one makes room for others.
      if (stale % 2 === 0 && !(await patience.yieldToOthers())) return { kind: 'ended', result: err(tooBusy(paths)) }
    }
  }

  const queued = async (): Promise<Result<T>> => {
    const answer = await inTurn(home, () => run(Number.POSITIVE_INFINITY))
    return answer.kind === 'ended' ? answer.result : err(tooBusy(paths))
  }

  if (contended.has(home)) return queued()
  const answer = await run(MOST_STALE)
  if (answer.kind === 'ended') return answer.result
  if (contended.size >= MOST_CONTENDED) contended.clear()
  contended.add(home)
  return queued()
}
