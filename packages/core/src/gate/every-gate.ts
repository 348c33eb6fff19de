/** Combines several gates: all must approve. */
import { leastTrusted } from '../shared/origin.ts'
import { ok } from '../shared/result.ts'
import { leastWilling, type ReviewGate, toVerdict, type Verdict } from './review-gate.ts'

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
