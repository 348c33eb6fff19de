/** Lines of a skill that a change takes away: what goes there must be wanted as much as what comes. */
import type { Transcript } from '../proposal/transcript.ts'
import { findAskedRemoval } from './asked-removal.ts'
import { contentWords } from './content-words.ts'
import { coverWith } from './coverage.ts'
import { skillStatementsOf } from './skill-statements.ts'
import type { LineChange } from './skill-text.ts'
import { QUOTED } from './user-coverage.ts'

/** A change that takes more away waits for a person. */
const MOST_DROPPED = 20

/** True where every lost line was reworded into a line that is there now, or where the user asked that it goes. */
export const areDroppedWanted = ({ added, dropped }: LineChange, transcript: Transcript): boolean => {
  const lost = skillStatementsOf(dropped).map(({ text }) => text)
  if (lost.length > MOST_DROPPED) return false
  const fresh = added.map(contentWords)
  return lost.every((line) => {
    const words = contentWords(line)
    return (
      words.size === 0 || fresh.some((other) => coverWith(words, other).share >= QUOTED) || findAskedRemoval(line, transcript) !== undefined
    )
  })
}
