/** Claims of skills being created: of several writers of one name, in any category, the first continues and the others fail. */

import * as z from 'zod/mini'
import { ok, type Result } from '../shared/result.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { SKILLS_FOLDER, type SkillFolder, toFolder } from './skill-discovery.ts'

const CLAIMS_FOLDER = `${SKILLS_FOLDER}/.locks/create`

/** Milliseconds after which a claim counts as abandoned. */
const CLAIM_MS = 60_000

const claimSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    /** Relative to the skills folder. */
    path: z.string().check(z.refine((path) => checkStoragePath(path).ok, 'it is not the path of a skill')),
    /** Epoch milliseconds. */
    claimedAt: z.number(),
  }),
)

export interface NameClaim {
  /** The folder that another writer is creating; `undefined` if the claim is ours. */
  readonly rival: SkillFolder | undefined
  /** Removes only our own claim; a claim that cannot be removed expires. */
  release(): Promise<void>
}

export const claimSkillName = async (
  storage: StorageBackend,
  { path, folderName }: SkillFolder,
  now: number,
): Promise<Result<NameClaim>> => {
  const document = `${CLAIMS_FOLDER}/${folderName}.json`
  let rival: string | undefined
  const claimed = await updateJsonDocument(storage, document, claimSchema, (current) => {
    rival = current && Math.abs(now - current.claimedAt) < CLAIM_MS ? current.path : undefined
    return rival === undefined ? { path, claimedAt: now } : UNCHANGED
  })
  if (!claimed.ok) return claimed
  if (rival !== undefined) return ok({ rival: toFolder(rival), release: async () => {} })
  const release = async () => {
    await updateJsonDocument(storage, document, claimSchema, (current) =>
      current?.path === path && current.claimedAt === now ? undefined : UNCHANGED,
    )
  }
  return ok({ rival: undefined, release })
}
