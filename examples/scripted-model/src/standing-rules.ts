/** Rules that a person lays down for good: `always round up`, `from now on show the total`. */

const LEAD_IN = /^(?:no|please|ok|okay|and|but|also|next time|in future|from now on|remember)[,.:!]?\s+/i
const RULE = /^(?:please\s+)?(?:always|never|every time|whenever)\b/i
const FOR_GOOD = /\b(?:from now on|in future|next time)\b/i

const withoutLeadIns = (sentence: string): string => {
  const shorter = sentence.replace(LEAD_IN, '')
  return shorter === sentence ? sentence : withoutLeadIns(shorter)
}

/** Each sentence that is one, in the person's exact words but for the full stop. */
export const standingRules = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => !sentence.endsWith('?') && (RULE.test(withoutLeadIns(sentence)) || FOR_GOOD.test(sentence)))
    .map((sentence) => sentence.replace(/[.!]+$/, ''))
