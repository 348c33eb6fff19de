/** One atomic change of the sidecar. A corrupt one is returned unchanged, unless it is the one that has been set aside. */

import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { equalContent } from '../storage/equal-content.ts'
import { UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { decodeSidecar, encodeSidecar, type SidecarDecoder, USAGE_PATH, type UsageSidecar } from './usage-sidecar.ts'

export type SidecarOutcome =
  | { readonly corrupt: false; readonly sidecar: UsageSidecar }
  | { readonly corrupt: true; readonly document: StoredDocument; readonly error: HermesError }

const EMPTY: UsageSidecar = new Map()

/**
 * `replaceable`: a corrupt document that may be replaced by an empty map. `next` is pure: it may run more than once; if it
 * returns the same map, nothing is written.
 */
export const updateSidecar = async (
  storage: StorageBackend,
  next: (sidecar: UsageSidecar) => UsageSidecar,
  { replaceable, decode = decodeSidecar }: { readonly replaceable?: StoredDocument | undefined; readonly decode?: SidecarDecoder } = {},
): Promise<Result<SidecarOutcome>> => {
  let outcome: SidecarOutcome = { corrupt: false, sidecar: EMPTY }
  const updated = await updateDocument(storage, USAGE_PATH, (document) => {
    const decoded = decode(document)
    if (!decoded.ok && document && !equalContent(document, replaceable)) {
      outcome = { corrupt: true, document, error: decoded.error }
      return UNCHANGED
    }
    const current = decoded.ok ? decoded.value : EMPTY
    const sidecar = next(current)
    outcome = { corrupt: false, sidecar }
    return sidecar === current && decoded.ok ? UNCHANGED : encodeSidecar(sidecar)
  })
  return updated.ok ? ok(outcome) : updated
}
