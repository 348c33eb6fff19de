/** Takes one skill change through all checks, the gate, the store, the usage counts and the journal. */

import { sightOf, verifiedQuotes } from '../../gate/judge-memory.ts'
import type { Verdict } from '../../gate/review-gate.ts'
import { pendingId } from '../../journal/pending.ts'
import type { SkillProposal } from '../../proposal/review-proposal.ts'
import type { Transcript } from '../../proposal/transcript.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import { withinLimit } from '../../text/work-limit.ts'
import type { DisposedProposal } from '../review-outcome.ts'
import { askGate, gateContext } from './ask-gate.ts'
import { DECIDED } from './decided-before.ts'
import type { DisposeDeps, SkillDisposeDeps } from './dispose-deps.ts'
import { appendRecords, guarded, toRecord } from './record-verdict.ts'
import { refuseSkillText, skillTextTooLong, whyHiding, whyProtected, whyUnseen } from './skill-permission.ts'
import { planSkillChange, type SkillPlan } from './skill-plan.ts'
import { describeUnwritten, isStorageFailure } from './unwritten.ts'
import { writeSkill } from './write-skill.ts'

/** Maximum number of attempts: concurrent patches of one file find it changed and are recomputed. */
const MAX_ATTEMPTS = 4

const switchedOff = (): HermesError =>
  new HermesError('disabled', 'Skills are switched off here, so nothing was written. Whoever runs the agent can switch them on.')

/** The steps for one proposal, which share the proposal and `deps`. */
const stepsFor = (proposal: SkillProposal, deps: DisposeDeps) => {
  const fail = async (error: HermesError, verdict?: Verdict): Promise<DisposedProposal> => {
    await appendRecords(deps, [toRecord(deps, { kind: 'failed', reason: error.message, error }, proposal, verdict)])
    return { kind: 'failed', proposal, error }
  }

  const reject = async (reason: string, verdict?: Verdict): Promise<DisposedProposal> => {
    await appendRecords(deps, [toRecord(deps, { kind: 'rejected', reason }, proposal, verdict)])
    return { kind: 'rejected', proposal, reason }
  }

  const hold = async (plan: SkillPlan, verdict: Verdict): Promise<DisposedProposal> => {
    const { pending, sessionId } = deps
    if (await deps.wasDecided?.(await pendingId('skill', [proposal.op]))) return reject(DECIDED, verdict)
    const { reason, origin } = verdict
    const model = deps.model?.()
    const request = { proposals: [proposal], base: plan.current?.version ?? null, reason, origin, sessionId, model } as const
    const kept = pending ? await guarded(deps, 'pending', () => pending.hold(request)) : undefined
    const where = kept ? { pendingId: kept.id } : {}
    await appendRecords(deps, [toRecord(deps, { kind: 'held', reason, ...where }, proposal, verdict)])
    return { kind: 'held', proposal, reason, ...where }
  }

  /** An approved change that could not be written. */
  const giveUp = (plan: SkillPlan, error: HermesError, verdict: Verdict): Promise<DisposedProposal> => {
    const isHeld = deps.pending !== undefined && deps.holdsUnwritten === true && isStorageFailure(error)
    return isHeld ? hold(plan, { ...verdict, verdict: 'hold', reason: describeUnwritten(error) }) : fail(error, verdict)
  }

  return { fail, reject, hold, giveUp }
}

/** True for a change of a skill that the session had loaded, if the user's words support it. Counts for changes of its text alone. */
const isCorrection = (
  { evidence = [] }: SkillProposal,
  { skill }: SkillPlan,
  { loaded }: SkillDisposeDeps,
  transcript: Transcript,
): boolean => {
  if (loaded?.has(skill.name) !== true) return false
  const quotes = withinLimit({}, () => verifiedQuotes(evidence, transcript))?.value ?? []
  return quotes.some(({ message }) => message.origin === 'user')
}

const attempt = async (proposal: SkillProposal, skills: SkillDisposeDeps, deps: DisposeDeps, isLast: boolean) => {
  const { fail, reject, hold, giveUp } = stepsFor(proposal, deps)
  const oversize = skillTextTooLong(proposal.op)
  if (oversize) return ok(await fail(oversize))
  const writer = deps.actor === 'agent' || deps.actor === 'host' ? 'attended' : 'unattended'
  const planned = await planSkillChange(proposal.op, skills)
  if (!planned.ok) {
    const isRefused = planned.error.code === 'read_only' && writer === 'unattended'
    return ok(await (isRefused ? reject(planned.error.message) : fail(planned.error)))
  }
  const plan = planned.value

  const protection = await whyProtected(plan, skills, writer)
  if (!protection.ok) return ok(await fail(protection.error))
  const no = refuseSkillText(plan) ?? protection.value ?? whyUnseen(plan, skills.shown)
  if (no !== undefined) return ok(await reject(no))

  const context = await gateContext(deps)
  const gateAnswer = context.ok ? await askGate(proposal, deps, { ...context.value, skill: { current: plan.current?.text } }) : context
  if (!gateAnswer.ok) {
    await fail(gateAnswer.error)
    return gateAnswer
  }
  const verdict = gateAnswer.value
  if (verdict.verdict === 'hold') return ok(await hold(plan, verdict))
  if (verdict.verdict === 'reject') return ok(await reject(verdict.reason, verdict))

  const hiding = writer === 'unattended' ? await whyHiding(plan, skills) : undefined
  if (hiding !== undefined) return ok(await hold(plan, { ...verdict, verdict: 'hold', reason: hiding }))

  const { onFailure } = deps
  const written = await writeSkill(plan, skills, {
    reason: proposal.rationale,
    model: deps.model?.(),
    fromOwnWords: deps.actor !== 'host' && context.ok && context.value.transcript.length > 0 && sightOf(context.value) === 'own',
    corrects: isCorrection(proposal, plan, skills, context.ok ? context.value.transcript : []),
    ...(onFailure ? { onFailure } : {}),
  })
  // A patch names the text that it applies to, so it can be tried again.
  const again = !written.ok && written.error.code === 'drift' && proposal.op.action === 'patch' && skills.shown === undefined
  if (again && !isLast) return undefined
  if (!written.ok) return ok(await giveUp(plan, written.error, verdict))
  const { previous } = written.value
  const recorded = { kind: 'applied', reason: verdict.reason, ...(previous === undefined ? {} : { previous: [previous] }) } as const
  await appendRecords(deps, [toRecord(deps, recorded, proposal, verdict)])
  return ok({ kind: 'applied', proposal, verdict, outcome: written.value } as const)
}

/** An error means that the gate failed and nothing was written. */
export const disposeSkill = async (proposal: SkillProposal, deps: DisposeDeps): Promise<Result<DisposedProposal>> => {
  const { skills } = deps
  if (!skills) return ok(await stepsFor(proposal, deps).fail(switchedOff()))
  for (let number = 1; ; number++) {
    const disposed = await attempt(proposal, skills, deps, number === MAX_ATTEMPTS)
    if (disposed) return disposed
  }
}
