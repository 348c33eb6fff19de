/** The gates that come with the library: by score, by evidence, and several as one. */
import { leastTrusted } from '../shared/origin.ts'
import { ok } from '../shared/result.ts'
import {
  EMPTY_GATE_CONTEXT,
  leastWilling,
  type ReviewGate,
  type SeedVerdict,
  TRUST_LEVELS,
  toVerdict,
  type Verdict,
} from './review-gate.ts'

const combine = (verdicts: readonly Verdict[]): Verdict => {
  const origin = leastTrusted(verdicts.flatMap((verdict) => verdict.origin ?? []))
  const { verdict, reason } = leastWilling(verdicts) ?? { verdict: 'approve', reason: verdicts.map((each) => each.reason).join(' ') }
  return { verdict, reason, ...(origin === undefined ? {} : { origin }) }
}

/**
 * Asks the gates in the given order, so put the cheap ones first: the first rejection ends it. A rejection takes precedence over a hold, a hold over an
 * approval; if a gate fails, the combined gate fails. Throws a TypeError without any gate, because that would approve everything, and for a gate that is no function.
 */
export const everyGate = (...gates: readonly ReviewGate[]): ReviewGate<Verdict> => {
  if (gates.length === 0) throw new TypeError('everyGate: give at least one gate.')
  if (!gates.every((gate) => typeof gate === 'function'))
    throw new TypeError('everyGate: each gate must be a function, such as evidenceGate(). Pass them as separate arguments.')
  return async (proposal, context) => {
    const verdicts: Verdict[] = []
    for (const gate of gates) {
      const answered = await gate(proposal, context)
      if (!answered.ok) return answered
      const verdict = toVerdict(answered.value)
      verdicts.push(verdict)
      if (verdict.verdict === 'reject') break
    }
    return ok(combine(verdicts))
  }
}

/** From seed 004: learn only from validated wins. */
export const DEFAULT_REVIEW_SCORE_THRESHOLD = 0.7

/** Approves scores of at least `min`; answers in the form of the seeds. Throws a RangeError if `min` is not between 0 and 1. */
export const scoreThresholdGate = (min: number = DEFAULT_REVIEW_SCORE_THRESHOLD): ReviewGate<SeedVerdict> => {
  if (typeof min !== 'number' || !(min >= 0 && min <= 1))
    throw new RangeError(`scoreThresholdGate: the threshold must be a number from 0 to 1, not ${String(min)}.`)
  return async ({ score }) => {
    const approved = score >= min
    const reason = approved
      ? `Its score of ${score} is at least the threshold of ${min}.`
      : `Its score of ${score} is below the threshold of ${min}.`
    return ok({ approved, reason })
  }
}

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
