/** One form for texts that are compared: Unicode NFKC, lower case, plain quotes and dashes, single spaces, no invisible characters. */
import type { TranscriptMessage } from '../proposal/transcript.ts'

// Zero width, direction marks, variation selectors, fillers.
const invisible = /[\p{Cf}\p{Variation_Selector}\u115f\u1160]|\u034f|\u17b4|\u17b5/gu

export const normaliseText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(invisible, '')
    .replace(/[\u2018\u2019\u201b\u2032\u00b4`]/g, "'")
    .replace(/[\u201c-\u201f\u00ab\u00bb\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()

// A transcript is checked once for each proposal; its messages never change.
const known = new WeakMap<TranscriptMessage, string>()

/** `normaliseText` of a message, worked out once. */
export const normalisedMessage = (message: TranscriptMessage): string => {
  const text = known.get(message) ?? normaliseText(message.text)
  known.set(message, text)
  return text
}
