/** An entry that was taken out of a store, as the archive keeps it: one document for each text, whose name follows from the text. */
import * as z from 'zod'
import { ORIGINS } from '../../shared/origin.ts'
import { sha256OfText } from '../../shared/sha256.ts'
import { MEMORY_ARCHIVE_FOLDER } from '../../storage/storage-paths.ts'
import type { EntryOrigin } from '../entry-facts.ts'
import { type MemoryTarget, memoryTargetSchema } from '../memory-op.ts'

export interface ArchivedEntry {
  /** For `restore`. The same text of a store always has the same. */
  readonly id: string
  readonly target: MemoryTarget
  /** To the letter; `[redacted: looks like a secret]` where the entry held a secret, which is not kept. */
  readonly text: string
  readonly redacted?: true
  readonly origin: EntryOrigin
  /** Epoch milliseconds; 0 = not known. */
  readonly firstSeenAt: number
  /** Epoch milliseconds; 0 = not known. */
  readonly lastConfirmedAt: number
  /** Epoch milliseconds. */
  readonly forgottenAt: number
  /** The session that took it away. */
  readonly sessionId?: string
  /** Why, in words. */
  readonly reason?: string
  /** The entry that stood for it afterwards. */
  readonly replacedBy?: string
}

export const archivedEntrySchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({
    version: z.literal(1),
    target: memoryTargetSchema,
    text: z.string(),
    redacted: z.literal(true).optional(),
    origin: z.enum([...ORIGINS, 'external']),
    firstSeenAt: z.number(),
    lastConfirmedAt: z.number(),
    forgottenAt: z.number(),
    sessionId: z.string().optional(),
    reason: z.string().optional(),
    replacedBy: z.string().optional(),
  }),
)

export type ArchivedEntryDocument = z.infer<typeof archivedEntrySchema>

const NAME_CHARS = 32

/** Under 128 bits of the text's SHA-256, so that whoever takes the same text away again writes the same document. */
export const archivedEntryName = async (text: string): Promise<string> => (await sha256OfText(text)).slice(0, NAME_CHARS)

/** For what may leave no trace of its text, a fingerprint included: a short secret could be guessed from one. */
export const redactedName = (at: number, index: number): string => `redacted-${at}-${index}`

const NAME = /^(?:[0-9a-f]{32}|redacted-\d{1,16}-\d{1,6})$/

export const archiveFolderOf = (target: MemoryTarget): string => `${MEMORY_ARCHIVE_FOLDER}/${target}`

export const archivedEntryPath = (target: MemoryTarget, name: string): string => `${archiveFolderOf(target)}/${name}.json`

/** `undefined` for a document that is not the archive's own. */
export const nameOfArchivedEntry = (target: MemoryTarget, path: string): string | undefined => {
  const folder = `${archiveFolderOf(target)}/`
  const name = path.startsWith(folder) && path.endsWith('.json') ? path.slice(folder.length, -'.json'.length) : ''
  return NAME.test(name) ? name : undefined
}

export const archivedEntryId = (target: MemoryTarget, name: string): string => `${target}-${name}`

/** `undefined` for a text that is no id of the archive. */
export const parseArchivedEntryId = (id: string): { readonly target: MemoryTarget; readonly name: string } | undefined => {
  const at = id.indexOf('-')
  const target = memoryTargetSchema.safeParse(id.slice(0, Math.max(0, at)))
  const name = id.slice(at + 1)
  return target.success && NAME.test(name) ? { target: target.data, name } : undefined
}

export const toArchivedEntry = (name: string, document: ArchivedEntryDocument): ArchivedEntry => {
  const { target, text, redacted, origin, firstSeenAt, lastConfirmedAt, forgottenAt, sessionId, reason, replacedBy } = document
  return {
    id: archivedEntryId(target, name),
    target,
    text,
    ...(redacted ? { redacted } : {}),
    origin,
    firstSeenAt,
    lastConfirmedAt,
    forgottenAt,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(reason === undefined ? {} : { reason }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
  }
}
