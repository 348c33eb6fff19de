/** The gate that asks whose words a proposal carries (DESIGN 5). Deterministic and pure: the same conversation, the same verdict. */
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import { pause } from '../shared/pause.ts'
import { ok } from '../shared/result.ts'
import { withinLimit } from '../text/work-limit.ts'
import { EVIDENCE_TABLE, type Judgement, TRUST_LEVELS } from './evidence-table.ts'
import { judgeMemory, sightOf } from './judge-memory.ts'
import { judgeSkill } from './judge-skill.ts'
import { normaliseAhead, readAhead } from './read-ahead.ts'
import { EMPTY_GATE_CONTEXT, type GateContext, type GateVerdict, type ReviewGate } from './review-gate.ts'

/** `strict`: only what the user said. `balanced`: the default. `open`: literal Hermes, everything is written. */
export type TrustLevel = (typeof TRUST_LEVELS)[number]

export interface EvidenceGateOptions {
  /** Default `balanced`. */
  readonly trust?: TrustLevel
}

/** Nobody has found out whose words it is, so it is trusted no more than what was in sight. */
const unjudged = (context: GateContext): Judgement => ({
  row: 'not-compared',
  origin: sightOf(context) === 'outside' ? 'tool' : 'assistant',
  messageIds: [],
})

/** Holds the process for a moment at most, whatever it is given: what would take longer is not judged. */
const judgeWithinLimit = async (proposal: ReviewProposal, context: GateContext): Promise<Judgement> => {
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

const toVerdict = ({ row, origin, messageIds }: Judgement, trust: TrustLevel): GateVerdict => {
  const { found, [trust]: disposition } = EVIDENCE_TABLE[row]
  const where = messageIds.length > 0 ? ` (see ${messageIds.join(', ')})` : ''
  const sentence = `${found.slice(0, -1)}${where}.`
  if (disposition === 'write') return { approved: true, reason: sentence, origin }
  if (disposition === 'hold') return { approved: false, held: true, reason: `${sentence} It waits for your approval.`, origin }
  return { approved: false, reason: `${sentence} With trust '${trust}' that is refused.`, origin }
}

/** Throws a TypeError for a trust level that does not exist. */
export const evidenceGate = ({ trust = 'balanced' }: EvidenceGateOptions = {}): ReviewGate => {
  if (!TRUST_LEVELS.includes(trust))
    throw new TypeError(`evidenceGate: 'trust' must be one of ${TRUST_LEVELS.join(', ')}, not '${String(trust)}'.`)
  return async (proposal, context = EMPTY_GATE_CONTEXT) => ok(toVerdict(await judgeWithinLimit(proposal, context), trust))
}
