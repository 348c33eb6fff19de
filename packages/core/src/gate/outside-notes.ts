/** Entries that came from outside stay text from outside: a note of one session must not become the agent's own conclusion in the next (DESIGN 5). */
import { MEMORY_TARGETS } from '../memory/memory-op.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { contentWords } from '../text/content-words.ts'
import { normalisedMessage } from '../text/normalise-text.ts'
import { holdsToken } from '../text/specific-tokens.ts'
import type { GateContext } from './review-gate.ts'

/** Names no message, so it never shows in a reason. */
const NO_ID = ''

const messageOf = (text: string): TranscriptMessage => ({ id: NO_ID, role: 'tool', origin: 'tool', text })

/** As messages, to be compared with like any tool result. */
export const outsideNotes = ({ entries, origins }: Pick<GateContext, 'entries' | 'origins'>): Transcript =>
  MEMORY_TARGETS.flatMap((target) => entries[target].filter((entry) => origins?.[target].get(entry) === 'tool').map(messageOf))

/** So many of its words stand in a note, and no fewer than `SUBSTANCE`, that a statement repeats it. */
const CARRIED = 0.5
const SUBSTANCE = 2

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
