/** Whether two documents hold the same; neither being there counts as the same too. */
import { equalBytes } from '../shared/equal-bytes.ts'
import type { DocumentContent } from './storage-backend.ts'

export const equalContent = (a: DocumentContent | undefined, b: DocumentContent | undefined): boolean =>
  a && b ? equalBytes(a.bytes, b.bytes) && (a.executable ?? false) === (b.executable ?? false) : a === b
