/** Lists what is below a folder of the home, with stamps that no later write can share. */
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../../shared/clock.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { byCodeUnit } from '../../document-tree.ts'
import type { DocumentInfo } from '../../storage-backend.ts'
import type { ReadableHome } from './home.ts'
import { type WalkedDocument, walkDocuments } from './walk-documents.ts'

/** The coarsest step of the time that local file systems write down, and a little more. */
const TIMESTAMP_STEP_MS = 12

/**
 * Milliseconds until no write can leave the same times behind as one that was seen: within one step of the file system's clock it could.
 * Times of the future tell nothing and are not waited for.
 */
export const msUntilStampsHold = (documents: readonly Pick<WalkedDocument, 'changedAt'>[], now: number): number => {
  let youngest = Number.NEGATIVE_INFINITY
  for (const { changedAt } of documents) if (changedAt <= now && changedAt > youngest) youngest = changedAt
  return Math.max(0, youngest + TIMESTAMP_STEP_MS - now)
}

/** In code-unit order of the path; `invalid_path` where a link leads out. Throws the system's errors. */
export const listDocuments = async (home: ReadableHome, prefix: string): Promise<Result<readonly DocumentInfo[]>> => {
  const resolved = await home.resolve(prefix)
  if (!resolved.ok) return resolved
  const documents: WalkedDocument[] = []
  if (!resolved.value.blocked) {
    // One by one: a call takes no more than some 100,000 arguments.
    for await (const some of walkDocuments(home, prefix, resolved.value.file)) for (const document of some) documents.push(document)
  }
  const wait = msUntilStampsHold(documents, systemClock())
  if (wait > 0) await delay(wait)
  return ok(documents.map(({ changedAt: _, ...document }) => document).sort((a, b) => byCodeUnit(a.path, b.path)))
}
