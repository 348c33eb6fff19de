/** Reads a conversation before anything is compared with it, in small steps between which everything else has its turn. */
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { pause } from '../shared/pause.ts'
import { wordsOfMessage } from './coverage.ts'
import { normalisedMessage } from './normalise-text.ts'
import { readSense } from './polarity.ts'
import { onlyStatements, readStatements, statementsOf } from './statements.ts'
import { withinLimit } from './work-limit.ts'

/** Sentences whose sense is read in one step. */
const SENTENCES_AT_ONCE = 40

function* readMessage(message: TranscriptMessage): Generator<void> {
  normalisedMessage(message)
  yield
  wordsOfMessage(message)
  yield
  if (message.origin !== 'user') return
  yield* readStatements(message)
  for (const [index, { text }] of statementsOf(message).entries()) {
    readSense(text)
    if (index % SENTENCES_AT_ONCE === SENTENCES_AT_ONCE - 1) yield
  }
  wordsOfMessage(onlyStatements(message))
}

const alreadyRead = new WeakMap<Transcript, boolean>()

/** False where a part of it is too long to be read. Once for each conversation. */
export const readAhead = async (transcript: Transcript): Promise<boolean> => {
  const before = alreadyRead.get(transcript)
  if (before !== undefined) return before
  let isRead = true
  for (const message of transcript) {
    const steps = readMessage(message)
    for (;;) {
      const step = withinLimit(transcript, () => steps.next())
      if (!step) isRead = false
      if (!step || step.value.done) break
      await pause()
    }
    if (!isRead) break
  }
  alreadyRead.set(transcript, isRead)
  return isRead
}
