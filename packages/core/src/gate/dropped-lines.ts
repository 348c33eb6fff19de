/** Lines of a skill that a change takes away: what goes there must be wanted as much as what comes. */
import type { Transcript } from '../proposal/transcript.ts'
import { findAskedRemoval } from './asked-removal.ts'
import { contentWords } from './content-words.ts'
import { coverWith } from './coverage.ts'
import { statementsOfUser, wantedOf } from './inside-sentences.ts'
import { skillStatementsOf } from './skill-statements.ts'
import type { LineChange } from './skill-text.ts'
import { QUOTED } from './user-coverage.ts'

/** A change that takes more away, and puts nothing like it there, waits for a person. */
const MOST_LOST = 5

/** True where every lost line was reworded into one that is there now, losing only words that the user speaks of, or where he asked that it goes. */
export const areDroppedWanted = ({ added, dropped }: LineChange, transcript: Transcript): boolean => {
  const fresh = added.map(contentWords)
  const said = new Set(statementsOfUser(transcript).flatMap(({ words }) => [...words]))
  const isReworded = (words: ReadonlySet<string>): boolean =>
    fresh.some((other) => coverWith(words, other).share >= QUOTED && [...words].every((word) => other.has(word) || said.has(word)))
  const lost: string[] = []
  for (const { text } of skillStatementsOf(dropped)) {
    const words = wantedOf(text)
    if (words === undefined || isReworded(words)) continue
    if (lost.push(text) > MOST_LOST) return false
  }
  return lost.every((line) => findAskedRemoval(line, transcript) !== undefined)
}
