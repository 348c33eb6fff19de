/** Splits texts into sentences and lines. */
import { spend } from './work-limit.ts'

/** Splits text at line breaks and at the ends of sentences; a full stop inside a name or a number is not an end. */
export const sentencesOf = (text: string): readonly string[] => {
  spend(40 * text.length)
  return text
    .split(/(?<=[.!?;])(?=\s)|(?<=[。！？；])|[\n\r\u2028\u2029]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Every line end of Unicode, one at a time. */
export const LINE_ENDS = /[\n\r\u2028\u2029\u0085]/g

/** Trimmed, without blank lines. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split(LINE_ENDS)
    .map((line) => line.trim())
    .filter((line) => line !== '')
