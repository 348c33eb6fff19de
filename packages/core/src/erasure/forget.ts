/** Erases a text, an entry or a session from all documents of a home. If the process is killed, the same call finishes the erasure. */

import type { HostActor } from '../journal/host-writes.ts'
import type { Journal } from '../journal/journal.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import { type RecordRedactor, recordRedactor } from '../session/record-redaction.ts'
import { isOfSession, sessionPath } from '../session/session-record.ts'
import { withinLimit } from '../session/within-limit.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { isBelow } from '../storage/document-tree.ts'
import { readDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { BLOCK_VIEW_PATH } from '../storage/storage-paths.ts'
import { type EraseDocumentsOptions, type ErasedDocuments, eraseDocuments } from './erase-documents.ts'
import type { CheckedTarget } from './erase-target.ts'
import { checkTarget, type ForgetTarget } from './erase-target.ts'
import { findTexts } from './find-texts.ts'
import type { RemainingText } from './forget-receipt.ts'
import { type ErasedCounts, type ForgetReceipt, totalErased } from './forget-receipt.ts'
import type { Erasure } from './redaction.ts'
import { isForeign } from './redactor-of.ts'
import { finishRewrites } from './rewrite-backup.ts'

export interface ForgetOptions {
  /** Reports what would be erased and writes nothing. Default false. */
  readonly dryRun?: boolean
}

/** The sessions of a home. A running review is cancelled in any process, because it could still write what it has read. */
export interface ForgettingSessions {
  /** Removes a session's record and what is known of it, in this process too. */
  forget(id: string): Promise<Result<void>>
  /** Removes a text from the open sessions of this process. */
  redact(redactor: RecordRedactor): Promise<void>
  settled(): Promise<void>
}

export interface ForgetDeps {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly journal: Pick<Journal, 'append'>
  readonly actor: HostActor
  readonly sessions: ForgettingSessions
  /** Undefined without an external memory provider. */
  readonly provider: Pick<ProviderConnection, 'name' | 'forget'> | undefined
  readonly onFailure: (error: HermesError, operation: string) => void
}

/** Milliseconds to wait for background work of this process to finish. */
const SETTLE_LIMIT_MS = 5_000

const WHO = { host: "the host's code", person: 'a person' } as const

/** The record holds only counts, in words of the library. */
const recordErasure = async ({ journal, actor, onFailure }: ForgetDeps, erased: ErasedCounts): Promise<void> => {
  const figures = Object.entries(erased).flatMap(([kind, count]: [string, number]) => (count > 0 ? [`${kind}: ${count}`] : []))
  const reason = `Something was erased from this home at the request of ${WHO[actor]}.`
  const written = await journal.append([{ actor, verdict: 'applied', reason, upkeep: { action: 'erase', after: figures.join(', ') } }])
  if (!written.ok) onFailure(written.error, 'journal')
}

interface ForgottenItems {
  readonly items: number
  /** Empty, or the provider. */
  readonly remaining: readonly RemainingText[]
  /** The folder of the provider's name, where it may keep its files in the home. Set if it erased, and so looked there itself. */
  readonly folder?: string
}

/** The entry that was found, of which the caller may have given only a piece. */
const textOf = (target: Exclude<CheckedTarget, { readonly kind: 'session' }>, { texts }: Erasure): string => texts[0] ?? target.text

/** Never fails: a provider that could not erase is listed as remaining. */
const forgetInProvider = async (
  provider: Pick<ProviderConnection, 'name' | 'forget'> | undefined,
  target: CheckedTarget,
  erasure: Erasure,
  dryRun: boolean,
): Promise<ForgottenItems> => {
  if (!provider || (target.kind === 'entry' && erasure.texts.length === 0)) return { items: 0, remaining: [] }
  const forgotten = await provider.forget(
    target.kind === 'session'
      ? { kind: 'session', sessionId: target.id, dryRun }
      : { kind: 'text', text: textOf(target, erasure), matches: erasure.matches, dryRun },
  )
  if (forgotten.ok) return { items: forgotten.value, remaining: [], folder: provider.name }
  return { items: 0, remaining: [{ path: `provider:${provider.name}`, reason: forgotten.error.message }] }
}

const hasSessionRecord = async (storage: StorageBackend, id: string): Promise<Result<boolean>> => {
  const record = await readDocument(storage, sessionPath(id))
  return record.ok ? ok(record.value !== undefined) : record
}

/** Returns 1 if the session had a record, else 0. */
const eraseSession = async ({ storage, sessions }: ForgetDeps, id: string | undefined, dryRun: boolean): Promise<Result<number>> => {
  if (id === undefined) return ok(0)
  const there = await hasSessionRecord(storage, id)
  if (!there.ok) return there
  if (dryRun) return ok(there.value ? 1 : 0)
  const removed = await sessions.forget(id)
  return removed.ok ? ok(there.value ? 1 : 0) : removed
}

const eraseEverywhere = async (options: EraseDocumentsOptions): Promise<Result<ErasedDocuments>> => {
  const { storage, dryRun } = options
  if (dryRun) return eraseDocuments(options)
  const finished = await finishRewrites(storage)
  return finished.ok ? eraseDocuments(options) : finished
}

/** The same storage; of what is changed through it, nothing is left in its logs and temporary files. */
const forgetting = (storage: StorageBackend): StorageBackend => ({
  read: (paths) => storage.read(paths),
  update: (paths, plan, options) => storage.update(paths, plan, { ...options, forget: true }),
  list: (prefix) => storage.list(prefix),
  close: async () => {},
})

/** Fails with `invalid` for a malformed target, `ambiguous` if several entries contain the text. `remaining` lists documents that could not be erased. */
export const forget = async (
  deps: ForgetDeps,
  target: ForgetTarget,
  { dryRun = false }: ForgetOptions = {},
): Promise<Result<ForgetReceipt>> => {
  const { clock, sessions } = deps
  const storage = forgetting(deps.storage)
  const checked = checkTarget(target)
  if (!checked.ok) return checked
  const found = await findTexts(storage, checked.value)
  if (!found.ok) return found
  const erasure = { ...found.value, at: clock() }
  if (!dryRun) {
    await sessions.redact(recordRedactor(erasure))
    await withinLimit(sessions.settled(), SETTLE_LIMIT_MS)
  }
  const records = await eraseSession({ ...deps, storage }, erasure.sessionId, dryRun)
  if (!records.ok) return records
  // Before the documents, so that nothing that waits for delivery is left to deliver.
  const provided = await forgetInProvider(deps.provider, checked.value, erasure, dryRun)
  const { sessionId } = erasure
  const isErased = (path: string) => dryRun && sessionId !== undefined && isOfSession(path, sessionId)
  const isExempt = (path: string) =>
    path === BLOCK_VIEW_PATH || isErased(path) || (provided.folder !== undefined && isBelow(path, provided.folder) && isForeign(path))
  const everywhere = await eraseEverywhere({ storage, erasure, dryRun, isExempt })
  if (!everywhere.ok) return everywhere
  if (!dryRun) {
    // A session that was opened meanwhile may have read the old text.
    await sessions.redact(recordRedactor(erasure))
    // The text of the next session is derived, so it is removed whole. And where no document held the erased text any more, the back end's own files may.
    const emptied = await storage.update(['memories/'], () => ({ put: { [BLOCK_VIEW_PATH]: null }, value: undefined }))
    if (!emptied.ok) return emptied
  }
  const { rewrittenBackups } = everywhere.value
  const remaining = [...everywhere.value.remaining, ...provided.remaining]
  const counted = everywhere.value.erased
  const erased = { ...counted, sessions: counted.sessions + records.value, providerItems: provided.items }
  if (!dryRun && totalErased(erased) > 0) await recordErasure(deps, erased)
  return ok({ at: clock(), dryRun, erased, rewrittenBackups, remaining })
}
