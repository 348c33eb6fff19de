/** The stores of a review whose last try could write nothing: its turns count as read, and what it found is in the journal. */
import type { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import type { ReviewStores } from './session-home.ts'

/** What is left out if nothing could be written: the changes themselves, then also that they wait. */
export const WITHOUT_WRITING = ['changes', 'changes and held proposals'] as const

/** Stores that refuse it with the error of the storage. */
export const withoutWriting = (stores: ReviewStores, what: (typeof WITHOUT_WRITING)[number], error: HermesError): ReviewStores => {
  const refuse = async () => err(error)
  const { skills } = stores
  return {
    ...stores,
    createMemoryStore: (...given) => Object.assign(stores.createMemoryStore(...given), { apply: refuse }),
    skills: skills && { ...skills, store: Object.assign(skills.store, { commit: refuse, archive: refuse }) },
    pending: what === 'changes' ? stores.pending : { ...stores.pending, hold: refuse },
  }
}
