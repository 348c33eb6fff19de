/** What was said before the turns that a review reads, as far as the host still shows it: nothing is kept on disk for it. Pure. */
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import type { Transcript } from '../proposal/transcript.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { splitTurn, splitTurns } from './turn.ts'
import { toUnreadTurn } from './unread-turns.ts'

/** Turns that are taken, and turns of the prompt that are looked at. */
const MOST_TURNS = 12
const MOST_LOOKED_AT = 60
/** Characters (UTF-16 units) of each of the two lists: the gate looks through all of it. */
const MOST_CHARS = 16_000

/** As the session record keeps them, so that what a host shows can be found among what was kept; credentials are redacted. */
const kept = (messages: readonly TurnMessage[]): readonly TurnMessage[] => toUnreadTurn(messages, false).messages

const ownWords = (messages: readonly TurnMessage[]): readonly TurnMessage[] => kept(messages.filter(isOwnMessage)).filter(isOwnMessage)

const keyOf = (words: readonly TurnMessage[]): string => words.map(({ text }) => text).join('\n')

const countKeys = (turns: readonly { readonly messages: readonly TurnMessage[] }[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { messages } of turns) {
    for (const turn of splitTurns(messages)) {
      const key = keyOf(ownWords(splitTurn(turn).words))
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

/** `newestFirst`: messages of each turn. The newest turns that fit as a whole, oldest first. */
const fitting = (newestFirst: readonly (readonly TurnMessage[])[]): readonly TurnMessage[] => {
  let left = MOST_CHARS
  const end = newestFirst.findIndex((messages) => {
    left -= messages.reduce((sum, { text }) => sum + text.length, 0)
    return left < 0
  })
  return newestFirst
    .slice(0, end < 0 ? undefined : end)
    .reverse()
    .flat()
}

export interface EarlierTurns {
  /** What was said in them but for results of tools, oldest first. */
  readonly messages: readonly TurnMessage[]
  /** What the user said to begin them, without quoted text: the same whatever came from outside. */
  readonly ownWords: readonly TurnMessage[]
}

/**
 * `shown`: what the host shows for the newest turn. `unread`: the turns that the review reads, as they were kept. The newest turn is never an earlier one. A turn
 * that was cut otherwise when it was kept counts as earlier, and is then seen twice.
 */
export const earlierTurns = (
  shown: readonly TurnMessage[],
  unread: readonly { readonly messages: readonly TurnMessage[] }[],
): EarlierTurns => {
  const counts = countKeys(unread)
  const found: { readonly messages: readonly TurnMessage[]; readonly own: readonly TurnMessage[] }[] = []
  for (const [index, turn] of splitTurns(shown).slice(-MOST_LOOKED_AT).toReversed().entries()) {
    const own = ownWords(splitTurn(turn).words)
    const key = keyOf(own)
    const count = counts.get(key) ?? 0
    if (count > 0) counts.set(key, count - 1)
    else if (index > 0) found.push({ messages: kept(turn.filter(({ role }) => role !== 'tool')), own })
    if (found.length === MOST_TURNS) break
  }
  return { messages: fitting(found.map(({ messages }) => messages)), ownWords: fitting(found.map(({ own }) => own)) }
}

export interface EarlierTranscripts {
  readonly all: Transcript
  readonly own: Transcript
}

/** As text from outside may have been in sight before them, only the user's own words count as somebody's. */
export const stampEarlier = (earlier: EarlierTurns | undefined, trustedTools: ReadonlySet<string>): EarlierTranscripts => {
  const stamp = (messages: readonly TurnMessage[] = []): Transcript =>
    stampTranscript(messages, trustedTools, { tainted: true }).map((message, index) => ({ ...message, id: `earlier-${index + 1}` }))
  return { all: stamp(earlier?.messages), own: stamp(earlier?.ownWords) }
}
