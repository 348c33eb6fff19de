/** The gate that checks whose words a proposal is based on (DESIGN 5). Deterministic and pure: the same conversation gives the same verdict. */
import { ok } from '../shared/result.ts'
import { EMPTY_GATE_CONTEXT, type ReviewGate, TRUST_LEVELS, type Verdict } from './review-gate.ts'

/** `strict`: only what the user said. `balanced`: the default. `open`: as in literal Hermes, the origin holds nothing back. */
export type TrustLevel = (typeof TRUST_LEVELS)[number]

export interface EvidenceGateOptions {
  /** Default `balanced`. */
  readonly trust?: TrustLevel
}

/** Throws a TypeError for wrong options. */
export const evidenceGate = (options: EvidenceGateOptions = {}): ReviewGate<Verdict> => {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`evidenceGate: pass the options as an object, such as { trust: 'strict' }, not ${String(options)}.`)
  const { trust = 'balanced' } = options
  if (!TRUST_LEVELS.includes(trust))
    throw new TypeError(`evidenceGate: 'trust' must be one of ${TRUST_LEVELS.join(', ')}, not '${String(trust)}'.`)
  return async (proposal, context = EMPTY_GATE_CONTEXT) => {
    const { judgeWithinLimit, verdictOn } = await import('./judge-evidence.ts')
    return ok(verdictOn(await judgeWithinLimit(proposal, context), trust))
  }
}
