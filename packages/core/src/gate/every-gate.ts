/** Several gates as one: all must approve. */
import { leastTrusted } from '../shared/origin.ts'
import { ok } from '../shared/result.ts'
import type { GateVerdict, ReviewGate } from './review-gate.ts'

const combine = (verdicts: readonly GateVerdict[]): GateVerdict => {
  const origin = leastTrusted(verdicts.flatMap((verdict) => verdict.origin ?? []))
  const deciding = verdicts.find((verdict) => !verdict.approved && verdict.held !== true) ?? verdicts.find((verdict) => !verdict.approved)
  const outcome = deciding
    ? { approved: false, reason: deciding.reason, ...(deciding.held === true ? { held: true } : {}) }
    : { approved: true, reason: verdicts.map((verdict) => verdict.reason).join(' ') }
  return { ...outcome, ...(origin === undefined ? {} : { origin }) }
}

/**
 * Asks the gates in the given order, so put the cheap ones first: the first rejection ends it. A rejection wins over a hold, a hold over approval; the
 * first gate that fails fails the whole. Throws a TypeError without any gate, because that would approve everything.
 */
export const everyGate = (...gates: readonly ReviewGate[]): ReviewGate => {
  if (gates.length === 0) throw new TypeError('everyGate: give at least one gate.')
  return async (proposal, context) => {
    const verdicts: GateVerdict[] = []
    for (const gate of gates) {
      const verdict = await gate(proposal, context)
      if (!verdict.ok) return verdict
      verdicts.push(verdict.value)
      if (!verdict.value.approved && verdict.value.held !== true) break
    }
    return ok(combine(verdicts))
  }
}
