/** Reads a conversation before anything is compared with it, in small steps between which everything else has its turn. */
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { pause } from '../shared/pause.ts'
import { normalisedMessage } from '../text/normalise-text.ts'
import { withinLimit } from '../text/work-limit.ts'
import { readOwnSentences } from './own-sentences.ts'

function* readMessage(message: TranscriptMessage): Generator<void> {
  normalisedMessage(message)
  yield
  if (message.origin !== 'tool') yield* readOwnSentences(message)
}

const normalised = new WeakSet<Transcript>()

/** Only what memory is compared with: quotes. False where a message is too long to be read. */
export const normaliseAhead = async (transcript: Transcript): Promise<boolean> => {
  if (normalised.has(transcript)) return true
  for (const message of transcript) {
    if (!withinLimit(transcript, () => normalisedMessage(message))) return false
    await pause()
  }
  normalised.add(transcript)
  return true
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
