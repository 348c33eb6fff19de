/** What the evidence gate finds out about a proposal. Loaded with the first proposal that is judged. */
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { pause } from '../shared/pause.ts'
import { normalisedMessage } from '../text/normalise-text.ts'
import { withinLimit } from '../text/work-limit.ts'
import type { Finding } from './evidence-table.ts'
import { judgeMemory, sightOf } from './judge-memory.ts'
import { judgeSkill } from './judge-skill.ts'
import { readOwnSentences } from './own-sentences.ts'
import type { GateContext } from './review-gate.ts'

// Reads a conversation before anything is compared with it, in small steps between which everything else has its turn.

function* readMessage(message: TranscriptMessage): Generator<void> {
  normalisedMessage(message)
  yield
  if (message.origin !== 'tool') yield* readOwnSentences(message)
}

const normalised = new WeakSet<Transcript>()

/** Only what memory is compared with: quotes. False where a message is too long to be read. */
const normaliseAhead = async (transcript: Transcript): Promise<boolean> => {
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

/** Nobody has found out whose words it is, so it is trusted no more than what was in sight. */
const unjudged = (context: GateContext): Finding => ({
  row: 'not-compared',
  origin: sightOf(context) === 'outside' ? 'tool' : 'assistant',
  messageIds: [],
})

/** Holds the process for a moment at most, whatever it is given: what would take longer is not judged. */
export const judgeWithinLimit = async (proposal: ReviewProposal, context: GateContext): Promise<Finding> => {
  const { transcript } = context
  const isSkill = proposal.target === 'skill'
  const isRead = await (isSkill ? readAhead(transcript) : normaliseAhead(transcript))
  const judge = () => (isSkill ? judgeSkill(proposal, context) : judgeMemory(proposal, context))
  // Nothing is kept for an empty conversation, which may be one and the same object for ever.
  const judged = isRead ? withinLimit(transcript.length > 0 ? transcript : {}, judge) : undefined
  // The next proposal comes right after this one.
  await pause()
  return judged?.value ?? unjudged(context)
}
