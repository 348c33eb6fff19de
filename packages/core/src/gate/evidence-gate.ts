/** The gate that asks whose words a proposal carries (DESIGN 5). Deterministic and pure: the same conversation, the same verdict. */
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import { pause } from '../shared/pause.ts'
import { ok } from '../shared/result.ts'
import { EVIDENCE_TABLE, TRUST_LEVELS } from './evidence-table.ts'
import { findSource } from './find-source.ts'
import { judgeChange } from './judge-change.ts'
import { judgeSkill } from './judge-skill.ts'
import { judgeSource } from './judge-source.ts'
import type { Judgement } from './judgement.ts'
import { readAhead } from './read-ahead.ts'
import { EMPTY_GATE_CONTEXT, type GateContext, type GateVerdict, type ReviewGate } from './review-gate.ts'
import { withinLimit } from './work-limit.ts'

/** `strict`: only what the user said. `balanced`: the default. `open`: literal Hermes, everything is written. */
export type TrustLevel = (typeof TRUST_LEVELS)[number]

export interface EvidenceGateOptions {
  /** Default `balanced`. */
  readonly trust?: TrustLevel
}

const judge = (proposal: ReviewProposal, context: GateContext): Judgement => {
  if (proposal.target === 'skill') return judgeSkill(proposal, context)
  const { op, target, evidence = [] } = proposal
  if (op.action !== 'add') return judgeChange(proposal, op, context)
  return judgeSource(target, op.content, findSource({ target, text: op.content }, evidence, context), context)
}

/** Nobody has found out whose words it is, so it is trusted no more than what else was in sight. */
const unjudged = ({ transcript }: GateContext): Judgement => ({
  row: 'not-compared',
  origin: transcript.some(({ origin }) => origin === 'tool') ? 'tool' : 'assistant',
  messageIds: [],
})

/** Holds the process for a moment at most, whatever it is given: what would take longer is not judged. */
const judgeWithinLimit = async (proposal: ReviewProposal, context: GateContext): Promise<Judgement> => {
  const { transcript } = context
  const isRead = await readAhead(transcript)
  // Nothing is kept for an empty conversation, which may be one and the same object for ever.
  const judged = isRead ? withinLimit(transcript.length > 0 ? transcript : {}, () => judge(proposal, context)) : undefined
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
