/** Takes one skill change through all checks, the gate, the store, the usage counts and the journal. */

import type { SkillEvaluation } from '../../evaluation/skill-evaluator.ts'
import { sightOf, verifiedQuotes } from '../../gate/judge-memory.ts'
import type { GateContext, Verdict } from '../../gate/review-gate.ts'
import { refuseSkillText } from '../../gate/skill-text.ts'
import type { SkillProposal } from '../../proposal/review-proposal.ts'
import type { Transcript } from '../../proposal/transcript.ts'
import { HermesError, messageOf } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { sha256OfText } from '../../shared/sha256.ts'
import { parseSkillDocument } from '../../skills/parse-skill-document.ts'
import { toDocumentPath } from '../../skills/skill-discovery.ts'
import type { SkillAuthor, SkillOpOutcome } from '../../skills/skill-op.ts'
import { withinLimit } from '../../text/work-limit.ts'
import { redactCredentials } from '../../threats/credentials/redact-credentials.ts'
import { isOwnText } from '../../usage/usage-record.ts'
import type { DisposedProposal } from '../review-outcome.ts'
import { bringBack, findTwin } from './bring-back.ts'
import type { Disposal } from './disposal.ts'
import type { FailedTurn, WritableSkills } from './disposal-options.ts'
import { planSkillChange, type SkillPlan, skillTextTooLong, whyHiding, whyProtected, whyUnseen } from './skill-plan.ts'
import { toRecord } from './to-record.ts'

/** The change in a sentence, for the model and the person. */
const describeSkillChange = ({ op, skill, filePath, current, next, count: places = 1 }: SkillPlan): string => {
  const name = `'${skill.name}'`
  if (current && current.text === next) return `'${filePath}' of the skill ${name} has exactly that content already; nothing changed.`
  switch (op.action) {
    case 'create':
      return `Created the skill ${name}${skill.category === undefined ? '' : ` in '${skill.category}'`}.`
    case 'edit':
      return `Rewrote the SKILL.md of the skill ${name}.`
    case 'patch':
      return `Patched '${filePath}' of the skill ${name}${places === 1 ? '' : ` in ${places} places`}.`
    case 'write_file':
      return current ? `Rewrote '${filePath}' of the skill ${name}.` : `Added '${filePath}' to the skill ${name}.`
    case 'remove_file':
      return `Removed '${filePath}' from the skill ${name}; the journal keeps its content.`
    case 'archive':
      return op.absorbedInto === undefined
        ? `Archived the skill ${name}; it can be restored.`
        : `Archived the skill ${name}, whose content '${op.absorbedInto}' contains from now on; it can be restored.`
  }
}

export interface SkillWriting {
  readonly reason: string
  /** The writing model, as its provider names it. */
  readonly model?: string | undefined
  /** The change corrects a result that the skill led to. */
  readonly corrects?: boolean
  /** The change repairs the skill after a failed use. */
  readonly repairs?: boolean
  /** The writer was shown own words alone. */
  readonly fromOwnWords?: boolean
  /** The project that a new skill is learned in. */
  readonly project?: string | undefined
  /** False for a new skill that the agent did not write, which is not counted as its own. Default true. */
  readonly isAgents?: boolean
}

/** The written file, if no part of its text is from outside: a patch keeps most of the text that it changes. */
const ownFile = async (
  { op, skill: { name }, filePath, current, next }: SkillPlan,
  { usage }: WritableSkills,
): Promise<{ readonly filePath: string; readonly digest: string } | undefined> => {
  if (next === undefined) return undefined
  const keeps = op.action === 'patch' && current ? current.text : undefined
  if (keeps !== undefined && !(await isOwnText(await usage.get(name), filePath, keeps))) return undefined
  return { filePath, digest: await sha256OfText(next) }
}

/** For the usage record, which is written in the same update. */
const authorOf = async (
  plan: SkillPlan,
  skills: WritableSkills,
  { model, corrects = false, repairs = false, fromOwnWords = false, isAgents = true, project }: Omit<SkillWriting, 'reason'>,
): Promise<SkillAuthor | undefined> =>
  isAgents
    ? { createdBy: 'agent', model: model ?? null, corrects, repairs, project, own: fromOwnWords ? await ownFile(plan, skills) : undefined }
    : undefined

/** `drift` if another writer was faster. */
export const writeSkill = async (
  plan: SkillPlan,
  skills: WritableSkills,
  { reason, ...writing }: SkillWriting,
): Promise<Result<SkillOpOutcome>> => {
  const { op, skill, filePath, current, next } = plan
  const isSame = current !== undefined && current.text === next
  if (!isSame) {
    try {
      const changed = await skills.store.commit(plan.planned, redactCredentials(reason), await authorOf(plan, skills, writing))
      if (!changed.ok) return changed
      if ('version' in changed.value && typeof changed.value.version === 'string') {
        skills.onWritten?.(toDocumentPath(skill, filePath), changed.value.version)
      }
    } catch (cause) {
      return err(new HermesError('io', `The skills failed: ${messageOf(cause)}`, { cause }))
    }
  }
  const previous = op.action === 'archive' || current === undefined ? {} : { previous: current.text }
  const message = describeSkillChange(plan)
  return ok({ target: 'skill', action: op.action, name: skill.name, path: skill.path, filePath, message, ...previous })
}

/** Maximum number of attempts: concurrent patches of one file find it changed and are recomputed. */
const MAX_ATTEMPTS = 4

const SWITCHED_OFF = 'Skills are switched off here, so nothing was written. Whoever runs the agent can switch them on.'

/** True for a change of a skill that the session had loaded, if the user's words support it. Counts for changes of its text alone. */
const isCorrection = (
  { evidence = [] }: SkillProposal,
  { skill }: SkillPlan,
  { loaded }: WritableSkills,
  transcript: Transcript,
): boolean => {
  if (loaded?.has(skill.name) !== true) return false
  const quotes = withinLimit({}, () => verifiedQuotes(evidence, transcript))?.value ?? []
  return quotes.some(({ message }) => message.origin === 'user')
}

interface Judged {
  readonly context: GateContext
  readonly verdict: Verdict
}

const judge = async (proposal: SkillProposal, { current }: SkillPlan, disposal: Disposal): Promise<Result<Judged>> => {
  const context = await disposal.context()
  if (!context.ok) return context
  const verdict = await disposal.ask(proposal, { ...context.value, skill: { current: current?.text } })
  return verdict.ok ? ok({ context: context.value, verdict: verdict.value }) : verdict
}

/**
 * Why a review does not write a new skill, or undefined: the home has one for this kind of task. One that is archived because nobody used it comes back instead.
 */
const whyTwin = async ({ op, next, skill }: SkillPlan, skills: WritableSkills, disposal: Disposal): Promise<string | undefined> => {
  if (op.action !== 'create' || next === undefined || disposal.actor !== 'review') return undefined
  const { name, description } = parseSkillDocument(next, skill)
  const { live, unused } = await findTwin({ name, description }, skills.store)
  if (live !== undefined) return `The skill '${live}' is for this kind of task already. Patch that one instead of writing another.`
  const restored = unused && (await bringBack(unused, skills, disposal.options.journal, 'review'))
  if (!restored?.ok || !restored.value) return undefined
  return `The skill '${unused?.name}' for this kind of task was in the archive, because nobody had used it. It is back; patch it if it is not right.`
}

const repairsOf = (failed: FailedTurn | undefined): { readonly repairs?: FailedTurn } =>
  failed ? { repairs: { sessionId: failed.sessionId, turn: failed.turn, tool: failed.tool } } : {}

interface Decision extends Pick<Verdict, 'verdict' | 'reason'> {
  /** What the host's evaluator says, for the journal. */
  readonly evaluated: { readonly evaluation?: SkillEvaluation }
}

/** The gate, then who else wrote a skill for this, then the host's evaluator: the first that does not approve decides. */
const decide = async (
  proposal: SkillProposal,
  plan: SkillPlan,
  { context, verdict }: Judged,
  skills: WritableSkills,
  disposal: Disposal,
): Promise<Decision> => {
  const evaluated = {}
  if (verdict.verdict !== 'approve') return { ...verdict, evaluated }
  const hiding = disposal.actor === 'review' ? await whyHiding(plan, skills) : undefined
  if (hiding !== undefined) return { verdict: 'hold', reason: hiding, evaluated }
  const twin = await whyTwin(plan, skills, disposal)
  if (twin !== undefined) return { verdict: 'reject', reason: twin, evaluated }
  const origin = verdict.origin ?? (sightOf(context) === 'own' ? 'assistant' : 'tool')
  const evaluation = await disposal.evaluate(proposal, plan, skills.store, origin)
  if (!evaluation) return { ...verdict, evaluated }
  const reason = evaluation.verdict === 'approve' ? verdict.reason : evaluation.reason
  return { verdict: evaluation.verdict, reason, evaluated: { evaluation } }
}

/** Undefined: the file has changed meanwhile, and the patch is to be made again. */
const attempt = async (
  proposal: SkillProposal,
  skills: WritableSkills,
  disposal: Disposal,
  isLast: boolean,
): Promise<Result<DisposedProposal> | undefined> => {
  const { actor, options } = disposal
  const fail = async (error: HermesError, ...verdicts: Verdict[]) => ok((await disposal.fail([proposal], error, verdicts))[0])
  const reject = async (reason: string, ...verdicts: Verdict[]) => ok((await disposal.reject([proposal], reason, verdicts))[0])
  const oversize = skillTextTooLong(proposal.op)
  if (oversize) return fail(oversize)
  const writer = actor === 'agent' || actor === 'host' ? 'attended' : 'unattended'
  const planned = await planSkillChange(proposal.op, skills)
  if (!planned.ok) {
    const { error } = planned
    const isRefused = error.code === 'read_only' && writer === 'unattended'
    return isRefused ? reject(error.message) : fail(error)
  }
  const plan = planned.value
  const protection = await whyProtected(plan, skills, writer)
  if (!protection.ok) return fail(protection.error)
  const no = refuseSkillText(plan) ?? protection.value ?? whyUnseen(plan, skills.shown)
  if (no !== undefined) return reject(no)

  const judged = await judge(proposal, plan, disposal)
  if (!judged.ok) {
    await fail(judged.error)
    return judged
  }
  const { verdict, context } = judged.value
  const { verdict: decided, reason, evaluated } = await decide(proposal, plan, judged.value, skills, disposal)
  const hold = async (why: string) => ok((await disposal.hold([proposal], why, [verdict], plan.current?.version ?? null, evaluated))[0])
  if (decided === 'hold') return hold(reason)
  if (decided === 'reject') return ok((await disposal.reject([proposal], reason, [verdict], evaluated))[0])

  const { transcript } = context
  const repaired = proposal.op.action === 'create' ? undefined : skills.failed?.get(plan.skill.name)
  const written = await writeSkill(plan, skills, {
    reason: proposal.rationale,
    model: options.model?.(),
    project: options.store.project,
    fromOwnWords: actor !== 'host' && transcript.length > 0 && sightOf(context) === 'own',
    corrects: isCorrection(proposal, plan, skills, transcript),
    repairs: repaired !== undefined,
  })
  if (!written.ok) {
    const { error } = written
    // A patch names the text that it applies to, so it can be tried again.
    if (error.code === 'drift' && proposal.op.action === 'patch' && skills.shown === undefined && !isLast) return undefined
    const why = disposal.whyHeld(error)
    return why === undefined ? fail(error, verdict) : hold(why)
  }
  const { previous } = written.value
  const before = previous === undefined ? {} : { previous: [previous] }
  const recorded = { kind: 'applied', reason, ...before, ...evaluated, ...repairsOf(repaired) } as const
  await disposal.append([toRecord(options, recorded, proposal, verdict)])
  return ok({ kind: 'applied', proposal, verdict, outcome: written.value, ...evaluated })
}

/** An error means that the gate failed and nothing was written. */
export const disposeSkill = async (proposal: SkillProposal, disposal: Disposal): Promise<Result<DisposedProposal>> => {
  const { skills } = disposal.options
  if (!skills) return ok((await disposal.fail([proposal], new HermesError('disabled', SWITCHED_OFF)))[0])
  for (let number = 1; ; number++) {
    const disposed = await attempt(proposal, skills, disposal, number === MAX_ATTEMPTS)
    if (disposed) return disposed
  }
}
