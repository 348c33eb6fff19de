/** Has text from outside come in since the user last spoke? */
import type { Transcript } from '../proposal/transcript.ts'

export const isTurnTainted = (transcript: Transcript): boolean => {
  let start = transcript.findLastIndex((message) => message.origin === 'user')
  // A file in front of the question, or a result nobody has answered yet, belongs to the turn as well.
  while (start > 0 && transcript[start - 1]?.role !== 'assistant') start--
  return transcript.slice(Math.max(start, 0)).some((message) => message.origin === 'tool')
}
