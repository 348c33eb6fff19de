/** Text cut at line breaks and at the ends of sentences; a full stop inside a name or a number ends nothing. */
import { spend } from './work-limit.ts'

export const sentencesOf = (text: string): readonly string[] => {
  spend(40 * text.length)
  return text
    .split(/(?<=[.!?;])(?=\s)|(?<=[。！？；])|[\n\r\u2028\u2029]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
