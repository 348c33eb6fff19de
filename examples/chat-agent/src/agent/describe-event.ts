/** What happened behind the turn, as one line for the person; undefined where there is nothing to tell. */
import type { HermesEvent, ReviewOutcome } from '@hermes/core'
import { oneLine } from '../terminal/clean-text.ts'

export interface EventLine {
  readonly tone: 'quiet' | 'problem'
  readonly text: string
}

const reasons = (items: readonly { readonly reason: string }[]): string =>
  items.length === 0 ? '' : ` (${[...new Set(items.map(({ reason }) => oneLine(reason, 100).replace(/\.$/, '')))].join('; ')})`

const counts = ({ applied, rejected, failed }: ReviewOutcome): string => {
  const refused = rejected.filter(({ held }) => !held)
  const held = rejected.filter((item) => item.held)
  const errors = failed.map(({ error }) => ({ reason: error.message }))
  return [
    `${applied.length} applied`,
    ...(held.length === 0 ? [] : [`${held.length} held for you${reasons(held)}`]),
    `${refused.length} rejected${reasons(refused)}`,
    `${failed.length} failed${reasons(errors)}`,
  ].join(', ')
}

/** `turns`: how many the review that just ended had read; undefined where its start was not seen. */
export const describeEvent = (event: HermesEvent, turns: number | undefined): EventLine | undefined => {
  const review = turns === undefined ? 'review' : `review after ${turns} ${turns === 1 ? 'turn' : 'turns'}`
  switch (event.type) {
    case 'session-started':
      if (event.newSession) return undefined
      return {
        tone: 'quiet',
        text: `· resumed: this session keeps the memory it started with (${event.chars.toLocaleString('en-US')} characters)`,
      }
    case 'review-started':
      return undefined
    case 'review-finished':
      return { tone: 'quiet', text: `· ${review}: ${counts(event.outcome)}` }
    case 'review-failed':
      return { tone: 'problem', text: `· ${review} failed: ${oneLine(event.error.message)} (the chat is not affected)` }
    case 'storage-failed':
      return {
        tone: 'problem',
        text: `· memory problem (${event.operation}): ${oneLine(event.error.message)} The chat goes on without it.`,
      }
  }
}
