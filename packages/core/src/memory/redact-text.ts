/** A text without its secrets, for whatever is kept besides the stores: no record of an entry holds what no entry may hold. */
import { holdsCredential } from './credential-patterns.ts'
import { toScanParts } from './scan-parts.ts'
import { scanMemoryText } from './threats/threat-scan.ts'

export const REDACTED = '[redacted: looks like a secret]'

export const looksLikeSecret = (text: string): boolean =>
  holdsCredential(text) || toScanParts(text).some((part) => scanMemoryText(part).includes('hardcoded_secret'))

/** A text that holds a credential, as a whole. */
export const redactText = (text: string): string => (looksLikeSecret(text) ? REDACTED : text)
