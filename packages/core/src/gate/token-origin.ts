/** Who named the addresses, commands and numbers of a statement? */
import type { Transcript } from '../proposal/transcript.ts'
import type { Origin } from '../shared/origin.ts'
import { normalisedMessage } from './normalise-text.ts'
import { holdsToken, specificTokens } from './specific-tokens.ts'

/** An entry holds a few of them; a text of more is not looked through any further, and counts as unsaid. */
const MOST_TOKENS = 200

const isHeld = (texts: readonly string[], token: string): boolean => texts.some((text) => holdsToken(text, token))

const tokensOf = (text: string, knownText: string) => {
  const { strong, numbers } = specificTokens(text)
  const known = specificTokens(knownText)
  const fresh = [...strong, ...numbers].filter((token) => !known.strong.has(token) && !known.numbers.has(token))
  return { strong, fresh: fresh.slice(0, MOST_TOKENS), tooMany: fresh.length > MOST_TOKENS }
}

/**
 * `tool`: one of them came from outside. `assistant`: an address or a command that the user did not name. `user`: nothing in the way. `said`: what the
 * user stated, normalised.
 */
export const leastOriginOfTokens = (text: string, knownText: string, said: readonly string[], outside: Transcript): Origin => {
  const { strong, fresh, tooMany } = tokensOf(text, knownText)
  if (tooMany) return outside.length > 0 ? 'tool' : 'assistant'
  const unsaid = fresh.filter((token) => !isHeld(said, token))
  if (unsaid.some((token) => isHeld(outside.map(normalisedMessage), token))) return 'tool'
  return unsaid.some((token) => strong.has(token)) ? 'assistant' : 'user'
}

/** Does the text hold an address or a command that stands nowhere in the conversation? */
export const namesTheUnheard = (text: string, knownText: string, transcript: Transcript): boolean => {
  const { strong, fresh } = tokensOf(text, knownText)
  const heard = transcript.map(normalisedMessage)
  return fresh.some((token) => strong.has(token) && !isHeld(heard, token))
}
