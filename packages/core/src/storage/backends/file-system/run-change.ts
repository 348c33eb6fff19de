/** Runs a caller's change, and tells what it threw from the system's errors. */
import { checkChangeResult } from '../../check-change-result.ts'
import type { DocumentChange, StoredDocument } from '../../storage-backend.ts'

/** Wraps what a host's `change` threw, so that it is not converted like a system error. */
export class ChangeThrew extends Error {}

/** Throws `ChangeThrew`. */
export const runChange = (path: string, change: DocumentChange, current: StoredDocument | undefined) => {
  try {
    return checkChangeResult(path, change(current), current)
  } catch (cause) {
    throw new ChangeThrew('A change threw.', { cause })
  }
}
