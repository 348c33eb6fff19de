/** Whether two documents have the same content; two missing documents are equal. */
import { equalBytes } from '../shared/equal-bytes.ts'
import type { DocumentContent } from './storage-backend.ts'

export const equalContent = (a: DocumentContent | undefined, b: DocumentContent | undefined): boolean =>
  a && b ? equalBytes(a.bytes, b.bytes) && (a.executable ?? false) === (b.executable ?? false) : a === b
