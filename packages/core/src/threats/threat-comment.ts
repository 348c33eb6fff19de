/** HTML comments that talk to the model: one pass over the marks and words that matter. */
import type { ThreatText } from './text.ts'

/** Characters between a telling word and either end of its comment. */
const NEAR_CHARS = 512

const MARKS = /<!--|>|ignore|override|system|secret|hidden/g

/** A comment with one of the words, also inside a longer word; no `>` before its end. */
export const hasTellingComment = ({ folded }: ThreatText): boolean => {
  let opened = -1
  let told = -1
  for (const { 0: mark, index } of folded.matchAll(MARKS)) {
    if (mark === '<!--') opened = index + mark.length
    else if (mark !== '>') {
      if (opened >= 0 && index - opened <= NEAR_CHARS) told = index + mark.length
    } else {
      const close = index - 2
      if (told >= 0 && told <= close && close - told <= NEAR_CHARS && folded.startsWith('--', close)) return true
      opened = -1
      told = -1
    }
  }
  return false
}
