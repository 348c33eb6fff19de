/** Lists what is below a folder of the home, with stamps that no later write can share. */
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../../shared/clock.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { byCodeUnit } from '../../document-tree.ts'
import type { DocumentInfo } from '../../storage-backend.ts'
import type { Home } from './home.ts'
import { type WalkedDocument, walkDocuments } from './walk-documents.ts'

/** The coarsest step of the time that local file systems write down, and a little more. */
const TIMESTAMP_STEP_MS = 12

/**
 * Another write within the same step of the file system's clock would leave the same times behind. Once the step is over none can, so
 * a listing that saw so young a file waits for that before it answers.
 */
const outwait = async (documents: readonly WalkedDocument[]): Promise<void> => {
  const now = systemClock()
  const youngest = documents.reduce((latest, { changedAt }) => (changedAt <= now ? Math.max(latest, changedAt) : latest), 0)
  const left = youngest + TIMESTAMP_STEP_MS - now
  if (left > 0) await delay(left)
}

/** In code-unit order of the path; `invalid_path` where a link leads out. Throws the system's errors. */
export const listDocuments = async (home: Home, prefix: string): Promise<Result<readonly DocumentInfo[]>> => {
  const resolved = home.resolve(prefix)
  if (!resolved.ok) return resolved
  const documents: WalkedDocument[] = []
  if (!resolved.value.blocked) {
    for await (const some of walkDocuments(home, prefix, resolved.value.file)) documents.push(...some)
  }
  await outwait(documents)
  return ok(documents.map(({ changedAt: _, ...document }) => document).sort((a, b) => byCodeUnit(a.path, b.path)))
}
