/** `curator/managed.json`: a person's grants, independent of who wrote the skills. */

import * as z from 'zod/mini'
import type { Result } from '../shared/result.ts'
import { ok } from '../shared/result.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../storage/storage-paths.ts'
import { type OwnershipGrant, storedGrantSchema, toOwnershipGrant } from './ownership-grant.ts'

export const MANAGED_PATH = `${CURATOR_FOLDER}/managed.json`

export const managedSchema = /* @__PURE__ */ z.lazy(() => z.strictObject({ grants: z.array(storedGrantSchema) }))

/** Includes expired grants. `unreadable` if the document is corrupt, such as after a hand edit: then there are no grants. */
export const readGrants = async (storage: StorageBackend): Promise<Result<readonly OwnershipGrant[]>> => {
  const document = await readJsonDocument(storage, MANAGED_PATH, managedSchema)
  return document.ok ? ok((document.value?.grants ?? []).map(toOwnershipGrant)) : document
}
