/** Does a statement carry what a remembered note from outside says? Such a note stands in front of every conversation (DESIGN 5). */
import type { Transcript } from '../proposal/transcript.ts'
import { contentWords } from './content-words.ts'
import { normalisedMessage } from './normalise-text.ts'
import { CARRIED } from './source-reading.ts'
import { holdsToken } from './specific-tokens.ts'
import { SUBSTANCE } from './substance.ts'

/** Asks with the words of a statement and with its addresses and commands. */
export type NoteEcho = (words: ReadonlySet<string>, tokens: readonly string[]) => boolean

/** `undefined`: the notes could not be read, so anything may repeat one. */
export const noteEcho = (notes: Transcript | undefined): NoteEcho => {
  if (notes === undefined) return () => true
  const known = notes.map((note) => ({ text: normalisedMessage(note), words: contentWords(note.text) }))
  return (words, tokens) =>
    known.some((note) => {
      const shared = [...words].filter((word) => note.words.has(word)).length
      if (shared >= SUBSTANCE && shared >= CARRIED * Math.min(words.size, note.words.size)) return true
      return tokens.some((token) => holdsToken(note.text, token))
    })
}
