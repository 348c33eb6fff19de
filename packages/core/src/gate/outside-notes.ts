/** Entries that came from outside stay text from outside: a note of one session must not become the agent's own conclusion in the next (DESIGN 5). */
import { MEMORY_TARGETS } from '../memory/memory-op.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import type { GateContext } from './review-gate.ts'

/** Names no message, so it never shows in a reason. */
const NO_ID = ''

const messageOf = (text: string): TranscriptMessage => ({ id: NO_ID, role: 'tool', origin: 'tool', text })

/** As messages, to be compared with like any tool result. */
export const outsideNotes = ({ entries, origins }: Pick<GateContext, 'entries' | 'origins'>): Transcript =>
  MEMORY_TARGETS.flatMap((target) => entries[target].filter((entry) => origins?.[target].get(entry) === 'tool').map(messageOf))
