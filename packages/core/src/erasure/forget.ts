/** Erases a text, an entry or a session from all documents of a home, from the backups of skills, from the open sessions and from the memory provider. */
import type { HostActor } from '../journal/host-recorder.ts'
import { prepareRecords } from '../journal/journal.ts'
import { blockViewPath } from '../memory/memory-paths.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import { type RecordRedactor, recordRedactor } from '../session/record-redaction.ts'
import { isOfSession, sessionPath } from '../session/session-record.ts'
import { withinLimit } from '../session/within-limit.ts'
import type { Clock } from '../shared/clock.ts'
import { ok, type Result } from '../shared/result.ts'
import { isBelow } from '../storage/document-tree.ts'
import { readDocument } from '../storage/one-document.ts'
import { projectsIn } from '../storage/project.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { BLOCK_VIEW_PATH, MEMORY_FOLDER, PROJECTS_FOLDER } from '../storage/storage-paths.ts'
import { DocumentEraser } from './erase-documents.ts'
import { type CheckedTarget, checkTarget, type ForgetTarget, findTexts } from './find-texts.ts'
import { type ErasedCounts, type ForgetReceipt, type RemainingText, totalErased } from './forget-receipt.ts'
import type { Erasure } from './redaction.ts'
import { isForeign } from './redactor-of.ts'

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

/** The home in which something is erased. */
export interface ForgettingHome {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly createId: () => string
  readonly actor: HostActor
}

type Provider = Pick<ProviderConnection, 'name' | 'forget'> | undefined

/** Milliseconds to wait for background work of this process to finish. */
const SETTLE_LIMIT_MS = 5_000

const WHO = { host: "the host's code", person: 'a person' } as const

/**
 * The text of the next session is derived from what was erased, so it is removed whole. Empties the back end's own files too, where no document held the text any
 * more. The record holds only counts, in words of the library. With a provider there always is one: another process may hold a text for it that could not be stored,
 * and that was added since the erasure began.
 */
const recordErasure = (home: ForgettingHome, provider: Provider, erased: ErasedCounts): Promise<Result<void>> => {
  const figures = Object.entries(erased).flatMap(([kind, count]: [string, number]) => (count > 0 ? [`${kind}: ${count}`] : []))
  const what = totalErased(erased) > 0 ? 'Something was erased from this home' : 'Nothing was found to erase from this home,'
  const reason = `${what} at the request of ${WHO[home.actor]}.`
  const upkeep = { action: 'erase', after: figures.join(', ') } as const
  const { append } = prepareRecords(
    totalErased(erased) > 0 || provider ? [{ actor: home.actor, kind: 'applied', reason, upkeep }] : [],
    home,
  )
  return home.storage.update(
    [`${MEMORY_FOLDER}/`, `${PROJECTS_FOLDER}/`, ...Object.keys(append)],
    (cut) => {
      const views = projectsIn(cut.list(PROJECTS_FOLDER)).map(blockViewPath)
      return { put: Object.fromEntries([BLOCK_VIEW_PATH, ...views].map((path) => [path, null])), append, value: undefined }
    },
    {
      forget: true,
    },
  )
}

/**
 * Before anything is erased in a provider: another process that holds a text for it in memory drops that when it reads this, and what it delivers before that is
 * there to be erased.
 */
const announceErasure = (home: ForgettingHome): Promise<Result<void>> => {
  const reason = `An erasure from this home began, at the request of ${WHO[home.actor]}.`
  const { append } = prepareRecords([{ actor: home.actor, kind: 'applied', reason, upkeep: { action: 'erase' } }], home)
  return home.storage.update(Object.keys(append), () => ({ append, value: undefined }))
}

interface ForgottenItems {
  readonly items: number
  /** Empty, or the provider. */
  readonly remaining: readonly RemainingText[]
  /** The folder of the provider's name, where it may keep its files in the home. Set if it erased, and so looked there itself. */
  readonly folder?: string
}

/** Never fails: a provider that could not erase is listed as remaining. */
const forgetInProvider = async (provider: Provider, target: CheckedTarget, erasure: Erasure, dryRun: boolean): Promise<ForgottenItems> => {
  const { texts, matches } = erasure
  if (!provider || (target.kind === 'entry' && texts.length === 0)) return { items: 0, remaining: [] }
  const forgotten = await provider.forget(
    target.kind === 'session'
      ? { kind: 'session', sessionId: target.id, dryRun }
      : // The entry that was found, of which the caller may have given only a piece.
        { kind: 'text', text: texts[0] ?? target.text, matches, dryRun },
  )
  if (forgotten.ok) return { items: forgotten.value, remaining: [], folder: provider.name }
  return { items: 0, remaining: [{ path: `provider:${provider.name}`, reason: forgotten.error.message }] }
}

/** Returns 1 if the session had a record, else 0. */
const eraseSession = async (
  { storage }: ForgettingHome,
  sessions: ForgettingSessions,
  id: string | undefined,
  dryRun: boolean,
): Promise<Result<number>> => {
  if (id === undefined) return ok(0)
  const record = await readDocument(storage, sessionPath(id))
  const removed = dryRun || !record.ok ? record : await sessions.forget(id)
  if (!record.ok) return record
  return removed.ok ? ok(record.value ? 1 : 0) : removed
}

/** Fails with `invalid` for a malformed target, `ambiguous` if several entries contain the text. `remaining` lists documents that could not be erased. */
export const forget = async (
  home: ForgettingHome,
  sessions: ForgettingSessions,
  provider: Provider,
  target: ForgetTarget,
  { dryRun = false }: ForgetOptions = {},
): Promise<Result<ForgetReceipt>> => {
  const { storage, clock } = home
  const checked = checkTarget(target)
  if (!checked.ok) return checked
  const found = await findTexts(storage, checked.value)
  if (!found.ok) return found
  const erasure = { ...found.value, at: clock() }
  if (!dryRun) {
    await sessions.redact(recordRedactor(erasure))
    await withinLimit(sessions.settled(), SETTLE_LIMIT_MS)
  }
  const { sessionId } = erasure
  const records = await eraseSession(home, sessions, sessionId, dryRun)
  if (!records.ok) return records
  const announced = provider && !dryRun ? await announceErasure(home) : ok(undefined)
  if (!announced.ok) return announced
  // Before the documents, so that nothing that waits for delivery is left to deliver.
  const provided = await forgetInProvider(provider, checked.value, erasure, dryRun)
  const isErased = (path: string) => dryRun && sessionId !== undefined && isOfSession(path, sessionId)
  const isOfProvider = (path: string) => provided.folder !== undefined && isBelow(path, provided.folder) && isForeign(path)
  const eraser = new DocumentEraser(storage, erasure, (path) => isErased(path) || isOfProvider(path))
  const everywhere = dryRun ? await eraser.preview() : await eraser.erase()
  if (!everywhere.ok) return everywhere
  if (!dryRun) {
    // A session that was opened meanwhile may have read the old text, and saved it behind the search.
    await sessions.redact(recordRedactor(erasure))
    await withinLimit(sessions.settled(), SETTLE_LIMIT_MS)
  }
  const finished = dryRun ? everywhere : await eraser.erase()
  if (!finished.ok) return finished
  const { projects, rewrittenBackups } = finished.value
  const remaining = [...finished.value.remaining, ...provided.remaining]
  const counted = finished.value.erased
  const erased = { ...counted, sessions: counted.sessions + records.value, providerItems: counted.providerItems + provided.items }
  if (!dryRun) {
    const recorded = await recordErasure(home, provider, erased)
    if (!recorded.ok) return recorded
  }
  return ok({ at: clock(), dryRun, erased, projects, rewrittenBackups, remaining })
}
