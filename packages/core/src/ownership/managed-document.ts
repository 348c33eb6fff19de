/** `curator/managed.json`: what a person handed over, apart from who wrote it. */

import * as z from 'zod'
import type { Result } from '../shared/result.ts'
import { ok } from '../shared/result.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../storage/storage-paths.ts'
import { type OwnershipGrant, storedGrantSchema, toOwnershipGrant } from './ownership-grant.ts'

export const MANAGED_PATH = `${CURATOR_FOLDER}/managed.json`

export const managedSchema = /* @__PURE__ */ z.lazy(() => z.strictObject({ grants: z.array(storedGrantSchema) }))

/** Those that have ended too. `unreadable` where a hand edit broke the document: then nothing counts as handed over. */
export const readGrants = async (storage: StorageBackend): Promise<Result<readonly OwnershipGrant[]>> => {
  const document = await readJsonDocument(storage, MANAGED_PATH, managedSchema)
  return document.ok ? ok((document.value?.grants ?? []).map(toOwnershipGrant)) : document
}
