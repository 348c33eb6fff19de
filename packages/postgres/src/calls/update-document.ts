/**
 * An update of a document. It begins with the version that was read last, without a lock: if no one else has written, that is one round
 * trip. If someone has, it locks the row, reads it and writes it in one transaction; a client without transactions reads and tries again.
 */
import { err, HermesError, ok, type Result } from '@hermes/core'
import type { DocumentChange, DocumentContent, StoredDocument } from '@hermes/core/storage'
import type { Driver, Query } from '../drivers/driver.ts'
import { judgeFailure } from '../failures/judge-failure.ts'
import type { Patience } from '../failures/patience.ts'
import { TRAIL_LENGTH } from '../schema/migrations.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { type Attempt, decideOutcome } from './decide-outcome.ts'
import { type DecidedWrite, decideWrite, type WriteLimits } from './decide-write.ts'
import type { DocumentState } from './document-rows.ts'
import type { KnownDocument, KnownDocuments } from './known-documents.ts'
import { beginLocked, readOutcome, readState, type WriteAnswer, writeDocument } from './write-document.ts'

/** A process that is suspended while it holds a lock loses it after this time. */
const LONGEST_IDLE_MS = 5_000

const MAX_CONTENDED = 1_000

export interface UpdateDeps {
  readonly driver: Driver
  readonly names: SchemaNames
  readonly known: KnownDocuments
  /** Paths that others were seen to write: they are locked at once. */
  readonly contended: Set<string>
  readonly createId: () => string
  readonly limits: WriteLimits
}

export interface UpdateRequest {
  readonly path: string
  readonly change: DocumentChange
  readonly patience: Patience
}

/** A write that was sent, with the document as it is if it was stored. */
interface SentWrite extends Attempt {
  readonly result: StoredDocument | undefined
  /** The id of the transaction, if it was begun before the write. */
  readonly transaction: string | undefined
}

type RoundEnd =
  | { readonly kind: 'done'; readonly document: StoredDocument | undefined }
  | { readonly kind: 'error'; readonly error: HermesError }
  | { readonly kind: 'threw'; readonly cause: unknown }
  /** `unverified`: decided on a document that may be old. `overtaken`: another writer was faster. `failed`: the database refused. */
  | { readonly kind: 'again'; readonly why: 'unverified' | 'overtaken' | 'failed' }

const toStored = ({ bytes, executable }: Required<DocumentContent>, version: string): StoredDocument => ({
  bytes,
  version,
  ...(executable ? { executable } : {}),
})

const tooBusy = (path: string): HermesError =>
  new HermesError('locked', `Other writers kept '${path}' busy for too long. Try again, or raise timeoutMs; nothing was written.`, {
    details: { path },
  })

const inDoubt = (path: string): HermesError =>
  new HermesError(
    'io',
    `The connection was lost while '${path}' was written, and others have changed it since: it is unknown whether the change is in it. Read it before you try again.`,
    { details: { path } },
  )

const unanswered = (path: string, { code, message, details }: HermesError): HermesError =>
  new HermesError(
    code,
    `The connection was lost while '${path}' was written: it is unknown whether the change is in it. Read it before you try again. ${message}`,
    { details: { ...details, path } },
  )

const tooLate = (path: string): HermesError =>
  new HermesError('io', `The time for the update of '${path}' was up before it was written. Nothing was written.`, { details: { path } })

/** Called once for each update; `round` is one attempt. */
const createRounds = (deps: UpdateDeps, { path, change, patience }: UpdateRequest) => {
  const { names, known, createId, limits } = deps
  /** Sent, and the connection was lost before the answer. The server may carry them out as long as it has what they were to replace. */
  let doubtful: readonly SentWrite[] = []
  let isUnsettled = false
  let sent: SentWrite | undefined
  let transaction: string | undefined

  const settle = async (query: Query, now: DocumentState | undefined): Promise<RoundEnd | undefined> => {
    for (const write of doubtful) {
      let outcome = decideOutcome(write, now, TRAIL_LENGTH)
      if (outcome === 'unknown' && write.transaction !== undefined) outcome = await readOutcome(query, write.transaction)
      if (outcome === 'unknown') return { kind: 'error', error: inDoubt(path) }
      if (outcome === 'stored') return { kind: 'done', document: write.result }
    }
    doubtful = doubtful.filter(({ before }) => before === now?.document.version)
    isUnsettled = false
    return undefined
  }

  const finish = (decided: DecidedWrite, current: StoredDocument | undefined): RoundEnd => {
    if (decided.kind === 'threw') return decided
    if (decided.kind === 'refuse') return { kind: 'error', error: decided.error }
    return { kind: 'done', document: current }
  }

  const send = async (query: Query, decided: DecidedWrite, before: string | undefined): Promise<RoundEnd> => {
    const content = decided.kind === 'write' ? decided.content : undefined
    const after = content && createId()
    const result = content && after ? toStored(content, after) : undefined
    if (patience.left() <= 0) throw tooLate(path)
    sent = { before, after, result, transaction }
    const waitMs = patience.forServer()
    const answer: WriteAnswer = await writeDocument(query, names, { path, before, after, content, waitMs })
    if (answer === 'written') return { kind: 'done', document: result }
    sent = undefined
    return answer === 'overtaken' ? { kind: 'again', why: 'overtaken' } : { kind: 'error', error: answer }
  }

  /** Decides on `base`, or on what it reads, and sends the write. What is not written is decided on what it reads alone. */
  const round = async (query: Query, forUpdate: boolean, base: KnownDocument | undefined): Promise<RoundEnd> => {
    const state = base ? undefined : await readState(query, names, path, forUpdate)
    const settled = base ? undefined : await settle(query, state)
    if (settled) return settled
    const current = base ? base.document : state?.document
    const decided = decideWrite(path, change, current, limits)
    const isWrite = decided.kind === 'write' || decided.kind === 'remove'
    if (base && !isWrite) return { kind: 'again', why: 'unverified' }
    if (forUpdate && known.get(path)?.document?.version === current?.version) deps.contended.delete(path)
    if (isWrite) return send(query, decided, current?.version)
    return finish(decided, current)
  }

  /** Runs a round and judges its failure: an error if no further round would help. Never rejects. */
  const attempt = async (forUpdate: boolean, base: KnownDocument | undefined): Promise<RoundEnd> => {
    sent = undefined
    transaction = undefined
    const { query, transact } = deps.driver
    const work = forUpdate && transact ? transact((within) => lockedRound(within)) : round(query, false, base)
    try {
      return await patience.limit(work)
    } catch (cause) {
      const { kind, error } = judgeFailure(cause)
      if (kind === 'dropped' && sent) doubtful = [...doubtful, sent]
      isUnsettled ||= kind === 'dropped' && sent !== undefined
      // A doubt is settled soon, before others write so often that the document no longer tells.
      const mayRepeat = async () => (isUnsettled ? patience.yieldToOthers() : patience.pause())
      if (kind !== 'no_tables' && kind !== 'final' && (await mayRepeat())) return { kind: 'again', why: 'failed' }
      return { kind: 'error', error: isUnsettled ? unanswered(path, error) : error }
    }
  }

  const lockedRound = async (query: Query): Promise<RoundEnd> => {
    const waitMs = patience.forServer()
    transaction = await beginLocked(query, { waitMs, idleMs: Math.min(waitMs, LONGEST_IDLE_MS) })
    return round(query, true, undefined)
  }

  return { attempt, isDoubtful: () => isUnsettled }
}

/** Whether another round may follow; notes that others write here too. */
const mayGoOn = async ({ driver, contended }: UpdateDeps, { path, patience }: UpdateRequest, why: string): Promise<boolean> => {
  if (why !== 'overtaken') return true
  if (!driver.transact) return patience.yieldToOthers()
  if (contended.size >= MAX_CONTENDED) contended.clear()
  contended.add(path)
  return patience.left() > 0
}

/** Resolves to the document afterwards, or to an error; rejects with what `change` threw. */
export const updateDocument = async (deps: UpdateDeps, request: UpdateRequest): Promise<Result<StoredDocument | undefined>> => {
  const { known, contended, driver } = deps
  const { path } = request
  const rounds = createRounds(deps, request)
  let base = contended.has(path) ? undefined : known.get(path)
  for (;;) {
    const forUpdate = driver.transact !== undefined && (contended.has(path) || rounds.isDoubtful())
    const end = await rounds.attempt(forUpdate, base)
    base = undefined
    if (end.kind === 'threw') throw end.cause
    if (end.kind === 'error') {
      known.forget(path)
      return err(end.error)
    }
    if (end.kind === 'done') {
      known.set(path, end.document)
      return ok(end.document)
    }
    if (!(await mayGoOn(deps, request, end.why))) return err(tooBusy(path))
  }
}
