/** What a document is recognised by, without keeping it. Pure. */
import { fingerprint } from '../shared/fingerprint.ts'
import type { DocumentContent } from './storage-backend.ts'

/** The same for the same bytes, and the same `executable`. Decoded byte by byte, so that bytes that are not text still differ. Not for security. */
export const documentVersion = ({ bytes, executable = false }: DocumentContent): string =>
  `${fingerprint(new TextDecoder('latin1').decode(bytes))}${executable ? 'x' : ''}`
