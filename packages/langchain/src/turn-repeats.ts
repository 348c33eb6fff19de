/** Tells a regenerated answer from a new turn: a chain asks for its memory before it saves, and a regeneration finds the history of the turn it repeats. */

import { asList, asRecord, toJson } from '@hermes/core/adapter'
import { contentText } from './content-text.ts'
import { isMessage } from './message-type.ts'

export interface TurnRepeats {
  /** A call begins: `history` is what the chain's own memory gave for it. */
  begin(text: string, history: unknown): void
  /** The call with this input is done; true where it repeated the turn before it. */
  isRepeat(text: string): boolean
  /** The history did not take the newest turn in, so that it stands still says nothing about the next. */
  forget(): void
}

/** Calls that failed never come to be saved; more than these are not kept in mind. */
const MAX_OPEN = 100

const keyOf = (history: unknown): string =>
  toJson(asList(history).every(isMessage) ? asList(history).map((message) => contentText(asRecord(message)['content'])) : history)

export const turnRepeats = (): TurnRepeats => {
  const open: { readonly text: string; readonly key: string; readonly repeat: boolean }[] = []
  let last: { readonly text: string; readonly key: string } | undefined
  return {
    begin(text, history) {
      const key = typeof history === 'string' ? history : keyOf(history)
      // Without a history there is nothing to tell a repetition by.
      const repeat = history !== undefined && last?.text === text && last.key === key
      open.push({ text, key, repeat })
      if (open.length > MAX_OPEN) open.shift()
    },
    isRepeat(text) {
      // The newest of them: an older one with the same words has failed.
      const at = open.findLastIndex((call) => call.text === text)
      const [call] = at < 0 ? [] : open.splice(at, 1)
      last = call === undefined ? undefined : { text, key: call.key }
      return call?.repeat ?? false
    },
    forget() {
      last = undefined
    },
  }
}
