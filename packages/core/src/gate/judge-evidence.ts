/** Determines the evidence gate's finding for a proposal. Loaded with the first proposal. */
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { pause } from '../shared/pause.ts'
import { readSentences } from '../text/agents-words.ts'
import { readWords } from '../text/foreign-names.ts'
import { normalisedMessage } from '../text/normalise-text.ts'
import { withinLimit } from '../text/work-limit.ts'
import { EVIDENCE_TABLE, type EvidenceRow, type Finding } from './evidence-table.ts'
import { judgeMemory, sightOf } from './judge-memory.ts'
import { judgeSkill } from './judge-skill.ts'
import { readOwnSentences } from './own-sentences.ts'
import type { GateContext, TRUST_LEVELS, Verdict } from './review-gate.ts'

// Normalises a message ahead of comparisons, in small steps between which other work can run.

function* readMessage(message: TranscriptMessage): Generator<void> {
  normalisedMessage(message)
  yield
  if (message.origin !== 'tool') yield* readOwnSentences(message)
}

function* readForMemory(message: TranscriptMessage): Generator<void> {
  normalisedMessage(message)
  yield
  if (message.origin === 'tool') return
  yield* readWords(message)
  yield* readSentences(message)
}

/** False if a step takes too long. */
const inSteps = async (transcript: Transcript, steps: Generator<void>): Promise<boolean> => {
  for (;;) {
    const step = withinLimit(transcript, () => steps.next())
    if (!step) return false
    if (step.value.done) return true
    await pause()
  }
}

const normalised = new WeakSet<Transcript>()

/** Reads the messages as far as memory proposals need it: their normal form, and the words of the user and the agent. False if one is too long. */
const normaliseAhead = async (transcript: Transcript): Promise<boolean> => {
  if (normalised.has(transcript)) return true
  for (const message of transcript) {
    if (!(await inSteps(transcript, readForMemory(message)))) return false
    await pause()
  }
  normalised.add(transcript)
  return true
}

const alreadyRead = new WeakMap<Transcript, boolean>()

const readAll = async (transcript: Transcript): Promise<boolean> => {
  for (const message of transcript) if (!(await inSteps(transcript, readMessage(message)))) return false
  return true
}

/** Reads the conversation once. False if a part of it is too long. */
export const readAhead = async (transcript: Transcript): Promise<boolean> => {
  const before = alreadyRead.get(transcript)
  if (before !== undefined) return before
  const isRead = await readAll(transcript)
  alreadyRead.set(transcript, isRead)
  return isRead
}

/** Not judged: gets the authority of the least trusted text that the proposer was shown. */
const unjudged = (context: GateContext): Finding => ({
  row: 'not-compared',
  origin: sightOf(context) === 'outside' ? 'tool' : 'assistant',
  messageIds: [],
})

/** Blocks the event loop only briefly for any input: a judgement that exceeds the limit is abandoned. */
export const judgeWithinLimit = async (proposal: ReviewProposal, context: GateContext): Promise<Finding> => {
  const { transcript } = context
  const isSkill = proposal.target === 'skill'
  const isRead = await (isSkill ? readAhead(transcript) : normaliseAhead(transcript))
  const judge = () => (isSkill ? judgeSkill(proposal, context) : judgeMemory(proposal, context))
  // Nothing is cached for an empty conversation, since its object may live for ever.
  const judged = isRead ? withinLimit(transcript.length > 0 ? transcript : {}, judge) : undefined
  // Lets other work run, since the next proposal follows immediately.
  await pause()
  return judged?.value ?? unjudged(context)
}

/** The table's verdict on a finding. */
export const verdictOn = ({ row, origin, messageIds }: Finding, trust: (typeof TRUST_LEVELS)[number]): Verdict => {
  const { found, isObjection, [trust]: verdict }: EvidenceRow = EVIDENCE_TABLE[row]
  const where = messageIds.length > 0 ? ` (see ${messageIds.join(', ')})` : ''
  const sentence = `${found.slice(0, -1)}${where}.`
  const reasons = {
    approve: isObjection ? `Written; note: ${sentence[0]?.toLowerCase()}${sentence.slice(1)}` : sentence,
    hold: `${sentence} It waits for your approval.`,
    reject: `${sentence} With trust '${trust}' that is refused.`,
  }
  return { verdict, reason: reasons[verdict], origin }
}
