/** Runs a change on a document and says what is to be done. */
import { HermesError } from '@hermes/core'
import { checkChangeResult, type DocumentChange, type DocumentContent, type StoredDocument, UNCHANGED } from '@hermes/core/storage'
import { copyOf } from './document-rows.ts'

export type DecidedWrite =
  | { readonly kind: 'keep' }
  | { readonly kind: 'threw'; readonly cause: unknown }
  | { readonly kind: 'refuse'; readonly error: HermesError }
  | { readonly kind: 'remove' }
  | { readonly kind: 'write'; readonly content: Required<DocumentContent> }

export interface WriteLimits {
  readonly maxDocumentBytes: number
}

export const decideWrite = (
  path: string,
  change: DocumentChange,
  current: StoredDocument | undefined,
  { maxDocumentBytes }: WriteLimits,
): DecidedWrite => {
  let next: ReturnType<typeof checkChangeResult>
  try {
    next = checkChangeResult(path, change(current && copyOf(current)), current)
  } catch (cause) {
    return { kind: 'threw', cause }
  }
  if (next === UNCHANGED) return { kind: 'keep' }
  if (next === undefined) return current ? { kind: 'remove' } : { kind: 'keep' }
  if (next.bytes.length > maxDocumentBytes) {
    const message = `'${path}' would have ${next.bytes.length} bytes, but a document may have at most ${maxDocumentBytes}. Store less, or raise maxDocumentBytes; nothing was written.`
    return { kind: 'refuse', error: new HermesError('invalid', message, { details: { path } }) }
  }
  // The caller may change its bytes while they are sent.
  return { kind: 'write', content: { bytes: new Uint8Array(next.bytes), executable: next.executable } }
}
