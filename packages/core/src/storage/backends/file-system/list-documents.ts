/** Lists the documents below a folder of the home, with stamps that no later write can repeat. */
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../../shared/clock.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { byCodeUnit } from '../../document-tree.ts'
import type { DocumentInfo } from '../../storage-backend.ts'
import type { ReadableHome } from './readable-home.ts'
import { type WalkedDocument, walkDocuments } from './walk-documents.ts'

/** Milliseconds: a little more than the coarsest time resolution of local file systems. */
const TIMESTAMP_STEP_MS = 12

/**
 * Milliseconds until a write can no longer leave the same times as a listed one, which it can within the resolution of the file system's
 * clock. Times in the future are ignored.
 */
export const msUntilStampsHold = (documents: readonly Pick<WalkedDocument, 'changedAt'>[], now: number): number => {
  let youngest = Number.NEGATIVE_INFINITY
  for (const { changedAt } of documents) if (changedAt <= now && changedAt > youngest) youngest = changedAt
  return Math.max(0, youngest + TIMESTAMP_STEP_MS - now)
}

/** Sorted by path in code-unit order; `invalid_path` if a link leads out. Throws the system's errors. */
export const listDocuments = async (home: ReadableHome, prefix: string): Promise<Result<readonly DocumentInfo[]>> => {
  const resolved = await home.resolve(prefix)
  if (!resolved.ok) return resolved
  const documents: WalkedDocument[] = []
  if (!resolved.value.blocked) {
    // One by one: a call takes at most about 100,000 arguments.
    for await (const some of walkDocuments(home, prefix, resolved.value.file)) for (const document of some) documents.push(document)
  }
  const wait = msUntilStampsHold(documents, systemClock())
  if (wait > 0) await delay(wait)
  return ok(documents.map(({ changedAt: _, ...document }) => document).sort((a, b) => byCodeUnit(a.path, b.path)))
}
