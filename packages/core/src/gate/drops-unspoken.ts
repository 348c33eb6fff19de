/** Does a new text lose names or numbers of the entry it replaces that the user said nothing about? */
import type { Transcript } from '../proposal/transcript.ts'
import { normalisedMessage, normaliseText } from '../text/normalise-text.ts'
import { holdsToken, specificTokens } from '../text/specific-tokens.ts'

/** A capital letter within a sentence. */
const name = /(?<=[\p{L}\p{N},;:)'"]\s)\p{Lu}[\p{L}\p{N}'-]+/gu
/** Of one digit too, such as a version. */
const number = /(?<![\p{L}\p{N}])\d+(?:[.,:/-]\d+)*(?![\p{L}\p{N}])/gu

export const dropsUnspoken = (entry: string, content: string, transcript: Transcript): boolean => {
  const kept = normaliseText(content)
  const tokens = [...specificTokens(entry).strong, ...(entry.match(number) ?? []), ...(entry.match(name) ?? [])].map(normaliseText)
  const dropped = [...new Set(tokens)].filter((token) => !holdsToken(kept, token))
  if (dropped.length === 0) return false
  const said = transcript.filter(({ origin }) => origin === 'user').map(normalisedMessage)
  return dropped.some((token) => !said.some((text) => holdsToken(text, token)))
}
