/** Runs the plan of an update on what a back end has read. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type CheckedPlan, checkPlan } from './checked-plan.ts'
import { makeCut, type ReadDocuments } from './make-cut.ts'
import type { NamedPaths } from './named-paths.ts'
import type { Cut, Plan } from './storage-backend.ts'

/** The error of a document that cannot be read is the result, if the plan lets it through. Throws whatever else the plan throws, and a TypeError for a wrong plan. */
export const runPlan = <T>(named: NamedPaths, read: ReadDocuments, plan: (cut: Cut) => Plan<T>): Result<CheckedPlan<T>> => {
  try {
    return ok(checkPlan(plan(makeCut(named, read)), named))
  } catch (cause) {
    if (HermesError.isInstance(cause) && [...read.documents.values()].includes(cause)) return err(cause)
    throw cause
  }
}
