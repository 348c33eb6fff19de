/** What a document is recognised by, without keeping it. Pure. */
import { fingerprintOfBytes } from '../shared/fingerprint.ts'
import type { DocumentContent } from './storage-backend.ts'

/** The same for the same bytes, and the same `executable`. Not for security. */
export const documentVersion = ({ bytes, executable = false }: DocumentContent): string =>
  `${fingerprintOfBytes(bytes)}${executable ? 'x' : ''}`
