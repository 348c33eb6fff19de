/** The stored document of what waits for delivery. A corrupt one is set aside, so that what comes next can be stored. */

import { fingerprintOfBytes } from '../shared/fingerprint.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { equalContent } from '../storage/equal-content.ts'
import { type LastValue, readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { keepCopy } from '../storage/keep-copy.ts'
import { readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { EMPTY_OUTBOX, type OutboxDocument, outboxDocument, outboxPath, PROVIDER_FOLDER } from './provider-items.ts'

export interface OutboxFile {
  read(): Promise<Result<OutboxDocument>>
  /** Resolves to the document as it is afterwards. `change` must be pure. A document without items is removed. */
  update(change: (current: OutboxDocument) => OutboxDocument): Promise<Result<OutboxDocument>>
}

export interface OutboxFileOptions {
  /** Name of the provider. */
  readonly name: string
  readonly storage: StorageBackend
  /** Called when a corrupt document was set aside. */
  readonly onFailure: (error: HermesError) => void
}

export const outboxFile = ({ name, storage, onFailure }: OutboxFileOptions): OutboxFile => {
  const path = outboxPath(name)
  const schema = outboxDocument()
  const last: LastValue<OutboxDocument> = {}

  const setAside = async (): Promise<Result<OutboxDocument>> => {
    const found = await readDocument(storage, path)
    if (!found.ok) return found
    if (!found.value) return ok(EMPTY_OUTBOX)
    const aside = found.value
    const { bytes } = aside
    const content = fingerprintOfBytes(bytes)
    const copyPath = (serial: number) => `${PROVIDER_FOLDER}/.unreadable/${name}-${content}${serial === 1 ? '' : `-${serial}`}.json`
    const kept = await keepCopy(storage, { bytes }, copyPath, path)
    if (!kept.ok) return kept
    const removed = await updateDocument(storage, path, (current) => (equalContent(current, aside) ? undefined : UNCHANGED))
    if (!removed.ok) return removed
    const message = `'${path}' was corrupt and is kept as '${kept.value}'. What it held was not delivered to memory provider '${name}'.`
    onFailure(new HermesError('unreadable', message, { details: { path: kept.value } }))
    return ok(EMPTY_OUTBOX)
  }

  const orSetAside = async (work: () => Promise<Result<OutboxDocument | undefined>>): Promise<Result<OutboxDocument>> => {
    let done = await work()
    if (!done.ok && done.error.code === 'unreadable') {
      const aside = await setAside()
      if (!aside.ok) return aside
      done = await work()
    }
    return done.ok ? ok(done.value ?? EMPTY_OUTBOX) : done
  }

  return {
    read: () => orSetAside(() => readJsonDocument(storage, path, schema, last)),
    update: (change) =>
      orSetAside(() =>
        updateJsonDocument(
          storage,
          path,
          schema,
          (current) => {
            const next = change(current ?? EMPTY_OUTBOX)
            if (next === current) return UNCHANGED
            if (next.items.length > 0) return next
            return current ? undefined : UNCHANGED
          },
          last,
        ),
      ),
  }
}
