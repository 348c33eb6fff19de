/**
 * Distinguishes a regenerated answer from a new turn: a chain loads its memory before it saves, and a regeneration loads the same history
 * as the turn that it repeats.
 */

import { asList, asRecord, toJson } from '@hermes/core/adapter'
import { contentText } from './content-text.ts'
import { isMessage } from './message-type.ts'

export interface TurnRepeats {
  /** Called at the start of a call. `history`: the value from the chain's own memory. */
  begin(text: string, history: unknown): void
  /** Called when the call with this input is done; true if it repeated the turn before it. */
  isRepeat(text: string): boolean
  /** The history did not record the newest turn, so an unchanged history does not mean that the next one is a repetition. */
  forget(): void
}

/** Maximum number of open calls to remember, since failed calls are never saved. */
const MAX_OPEN = 100

const keyOf = (history: unknown): string =>
  toJson(asList(history).every(isMessage) ? asList(history).map((message) => contentText(asRecord(message)['content'])) : history)

export const turnRepeats = (): TurnRepeats => {
  const open: { readonly text: string; readonly key: string; readonly repeat: boolean }[] = []
  let last: { readonly text: string; readonly key: string } | undefined
  return {
    begin(text, history) {
      const key = typeof history === 'string' ? history : keyOf(history)
      // Without a history, repetitions cannot be detected.
      const repeat = history !== undefined && last?.text === text && last.key === key
      open.push({ text, key, repeat })
      if (open.length > MAX_OPEN) open.shift()
    },
    isRepeat(text) {
      // The newest one: an older one with the same text has failed.
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
