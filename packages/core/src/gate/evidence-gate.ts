/** The gate that checks whose words a proposal is based on (DESIGN 5). Deterministic and pure: the same conversation gives the same verdict. */
import { ok } from '../shared/result.ts'
import { EVIDENCE_TABLE, type Finding, TRUST_LEVELS } from './evidence-table.ts'
import { EMPTY_GATE_CONTEXT, type ReviewGate, type Verdict } from './review-gate.ts'

/** `strict`: only what the user said. `balanced`: the default. `open`: as in literal Hermes, everything is written. */
export type TrustLevel = (typeof TRUST_LEVELS)[number]

export interface EvidenceGateOptions {
  /** Default `balanced`. */
  readonly trust?: TrustLevel
}

const toVerdict = ({ row, origin, messageIds }: Finding, trust: TrustLevel): Verdict => {
  const { found, [trust]: verdict } = EVIDENCE_TABLE[row]
  const where = messageIds.length > 0 ? ` (see ${messageIds.join(', ')})` : ''
  const sentence = `${found.slice(0, -1)}${where}.`
  return {
    verdict,
    reason: `${sentence}${verdict === 'hold' ? ' It waits for your approval.' : verdict === 'reject' ? ` With trust '${trust}' that is refused.` : ''}`,
    origin,
  }
}

/** Throws a TypeError for an unknown trust level. */
export const evidenceGate = ({ trust = 'balanced' }: EvidenceGateOptions = {}): ReviewGate<Verdict> => {
  if (!TRUST_LEVELS.includes(trust))
    throw new TypeError(`evidenceGate: 'trust' must be one of ${TRUST_LEVELS.join(', ')}, not '${String(trust)}'.`)
  return async (proposal, context = EMPTY_GATE_CONTEXT) => {
    const { judgeWithinLimit } = await import('./judge-evidence.ts')
    return ok(toVerdict(await judgeWithinLimit(proposal, context), trust))
  }
}
