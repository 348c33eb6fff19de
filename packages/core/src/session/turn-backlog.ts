/**
 * What was said since the last review, for hosts whose prompts do not carry their own history (a window, a summary, one message a call). Bounded, and
 * kept in the session record only where it is needed. Pure.
 */
import type { TurnMessage } from '../proposal/turn-message.ts'
import { countUserMessages, newestTurns } from './turn.ts'

/** Messages and characters a backlog keeps at the most; the oldest go first. */
export const BACKLOG_LIMITS = { messages: 60, chars: 24_000, messageChars: 4_000 } as const

const cut = (message: TurnMessage): TurnMessage =>
  message.text.length <= BACKLOG_LIMITS.messageChars
    ? message
    : { ...message, text: `${message.text.slice(0, BACKLOG_LIMITS.messageChars).toWellFormed()} …` }

/** The newest messages that fit. */
export const boundedBacklog = (messages: readonly TurnMessage[]): readonly TurnMessage[] => {
  const kept: TurnMessage[] = []
  let chars = 0
  for (const message of messages.slice(-BACKLOG_LIMITS.messages).map(cut).reverse()) {
    chars += message.text.length
    if (chars > BACKLOG_LIMITS.chars) break
    kept.push(message)
  }
  return kept.reverse()
}

/**
 * `conversation`: all that the host showed for the turn, the reply included. `turnsSinceReview` counts this turn. Empty as long as the conversation
 * itself reaches back to the last review.
 */
export const nextBacklog = (
  backlog: readonly TurnMessage[],
  conversation: readonly TurnMessage[],
  turnsSinceReview: number,
): readonly TurnMessage[] => {
  const shown = countUserMessages(conversation)
  // One turn alone does not tell whether the next prompt will carry it along.
  if (shown >= turnsSinceReview && shown > 1) return []
  return boundedBacklog(backlog.length === 0 ? conversation : [...backlog, ...newestTurns(conversation, 1)])
}
