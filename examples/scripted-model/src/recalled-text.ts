/** What Hermes recalled for a message: a fence behind the person's own words, which are not part of it. */

const FENCE = /\s*<memory-context>\n(?:\[System note:[^\]]*\]\n)?([\s\S]*?)<\/memory-context>/g

/** The person's own words. */
export const ownWords = (message: string): string => message.replace(FENCE, '')

/** Of whom a line tells, and when: `2026-10-03, session chat-17:`, `User:`. */
const LABEL = /^(?:[-*>]\s*)?(?:\d{4}-\d{2}-\d{2}[^:\n]*:\s*)?(?:(?:user|assistant|you|agent|they|answer)\b[^:\n]{0,20}:\s*)?["“]?/i

/** The statements in the fences of a message; questions say nothing. */
export const recalledStatements = (message: string): readonly string[] =>
  [...message.matchAll(FENCE)]
    .flatMap(([, inside = '']) => inside.split(/\n+|(?<=[.!?])\s+/))
    .map((sentence) => sentence.trim().replace(LABEL, '').replace(/["”]$/, '').trim())
    .filter((sentence) => sentence !== '' && !sentence.endsWith('?'))
