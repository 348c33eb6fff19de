/** The archived copy of an entry removed from a store: one document for each text, named after a hash of the text. */
import * as z from 'zod/mini'
import { ORIGINS } from '../../shared/origin.ts'
import { sha256OfText } from '../../shared/sha256.ts'
import { MEMORY_ARCHIVE_FOLDER } from '../../storage/storage-paths.ts'
import type { EntryOrigin } from '../entry-facts.ts'
import { type MemoryTarget, memoryTargetSchema } from '../memory-op.ts'

export interface ArchivedEntry {
  /** For `restore`. Determined by the store and the text. */
  readonly id: string
  readonly target: MemoryTarget
  /** Verbatim; `[redacted: looks like a secret]` for an entry with a secret, which is not stored. */
  readonly text: string
  readonly redacted?: true
  readonly origin: EntryOrigin
  /** Epoch milliseconds; 0 if unknown. */
  readonly firstSeenAt: number
  /** Epoch milliseconds; 0 if unknown. */
  readonly lastConfirmedAt: number
  /** Epoch milliseconds. */
  readonly forgottenAt: number
  /** The session that removed it. */
  readonly sessionId?: string
  /** Free text. */
  readonly reason?: string
  /** The entry that replaced it. */
  readonly replacedBy?: string
}

export const archivedEntrySchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({
    version: z.literal(1),
    target: memoryTargetSchema,
    text: z.string(),
    redacted: z.optional(z.literal(true)),
    origin: z.enum([...ORIGINS, 'external']),
    firstSeenAt: z.number(),
    lastConfirmedAt: z.number(),
    forgottenAt: z.number(),
    sessionId: z.optional(z.string()),
    reason: z.optional(z.string()),
    replacedBy: z.optional(z.string()),
  }),
)

export type ArchivedEntryDocument = z.infer<typeof archivedEntrySchema>

const NAME_CHARS = 32

/** The first 128 bits of the text's SHA-256: removing the same text again writes the same document. */
export const archivedEntryName = async (text: string): Promise<string> => (await sha256OfText(text)).slice(0, NAME_CHARS)

/** For texts that may leave no trace, not even a hash: a short secret could be guessed from it. */
export const redactedName = (at: number, index: number): string => `redacted-${at}-${index}`

const NAME = /^(?:[0-9a-f]{32}|redacted-\d{1,16}-\d{1,6})$/

export const archiveFolderOf = (target: MemoryTarget): string => `${MEMORY_ARCHIVE_FOLDER}/${target}`

export const archivedEntryPath = (target: MemoryTarget, name: string): string => `${archiveFolderOf(target)}/${name}.json`

/** `undefined` for a document that the archive did not write. */
export const nameOfArchivedEntry = (target: MemoryTarget, path: string): string | undefined => {
  const folder = `${archiveFolderOf(target)}/`
  const name = path.startsWith(folder) && path.endsWith('.json') ? path.slice(folder.length, -'.json'.length) : ''
  return NAME.test(name) ? name : undefined
}

export const archivedEntryId = (target: MemoryTarget, name: string): string => `${target}-${name}`

/** `undefined` for a text that is not an id of the archive. */
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
