/** Asks the evaluator about one change of a skill, within a limit of time and tokens. */

import { startModelBudget } from '../model/call-model.ts'
import type { SkillProposal } from '../proposal/review-proposal.ts'
import { HermesError, messageOf } from '../shared/hermes-error.ts'
import { isOwnOrigin, type Origin } from '../shared/origin.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readSkillFiles } from '../skills/read-skill-files.ts'
import type { SkillStore } from '../skills/skill-store.ts'
import { redactCredentials } from '../threats/credentials/redact-credentials.ts'
import { askWithin } from './ask-within.ts'
import type {
  EvaluatedChange,
  EvaluationMeans,
  EvaluationSettings,
  SkillEvaluation,
  SkillEvaluationContext,
  SkillEvaluator,
} from './skill-evaluator.ts'

const MAX_LINES = 20
const MAX_CHARS = 300
const MAX_READ_CHARS = 10_000
const TASK = { name: 'evaluation of a skill', timeoutOption: 'skills.evaluation.timeoutMs' }

type Files = ReadonlyMap<string, string>

const NO_FILES: Files = new Map()

const withChange = (before: Files, { files }: EvaluatedChange): Files =>
  new Map([...new Map([...before, ...files])].flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])))

/** By name. */
const readReplaced = async (store: SkillStore, { replaces = [] }: EvaluatedChange): Promise<Result<ReadonlyMap<string, Files>>> => {
  const replaced = new Map<string, Files>()
  for (const { name, path } of replaces) {
    const files = await readSkillFiles(path, store)
    if (!files.ok) return files
    replaced.set(name, files.value)
  }
  return ok(replaced)
}

/** Redacted before it is cut, since the beginning of a secret is not recognised as one. */
const line = (text: unknown): string =>
  redactCredentials(String(text).slice(0, MAX_READ_CHARS).replace(/\s+/gu, ' ').trim()).slice(0, MAX_CHARS)

/** Undefined for an answer of another shape. */
const readEvaluation = (given: unknown): SkillEvaluation | undefined => {
  if (typeof given !== 'object' || given === null) return undefined
  const { verdict, reason, evidence = [] } = given as Readonly<Record<string, unknown>>
  if ((verdict !== 'approve' && verdict !== 'hold' && verdict !== 'reject') || typeof reason !== 'string' || !Array.isArray(evidence))
    return undefined
  const lines = evidence.slice(0, MAX_LINES).map(line)
  return { verdict, reason: line(reason), ...(lines.length > 0 ? { evidence: lines } : {}) }
}

const withoutVerdict = (why: string, decided: 'apply' | 'hold'): SkillEvaluation => ({
  verdict: decided === 'apply' ? 'approve' : 'hold',
  reason: line(`Whether the skill works is not known: ${why}`),
})

const answerOf = async (evaluate: () => ReturnType<SkillEvaluator>, signal: AbortSignal): Promise<Result<SkillEvaluation | undefined>> => {
  const late = new Promise<Result<never>>((resolve) => {
    const giveUp = () => resolve(err(new HermesError('timeout', messageOf(signal.reason))))
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  const asked = (async () => evaluate())().then(
    (given) => {
      const evaluation = readEvaluation(given)
      const message = "the evaluator did not answer with { verdict: 'approve' | 'hold' | 'reject', reason, evidence? }."
      return given === undefined || evaluation ? ok(evaluation) : err(new HermesError('invalid', message))
    },
    (cause) => err(new HermesError('invalid', `the evaluator failed: ${messageOf(cause)}`, { cause })),
  )
  return Promise.race([asked, late])
}

/** Undefined if the evaluator has nothing to say. */
export const evaluateSkill = async (
  proposal: SkillProposal,
  change: EvaluatedChange,
  store: SkillStore,
  { evaluator, timeoutMs, maxTokens, withoutVerdict: decided }: EvaluationSettings,
  { model, clock, signal: cancelled, onCost, origin }: EvaluationMeans & { readonly origin: Origin | undefined },
): Promise<SkillEvaluation | undefined> => {
  const stopping = new AbortController()
  const stop = (message: string) => stopping.abort(new HermesError('timeout', message))
  const timer = setTimeout(() => stop(`it took longer than ${timeoutMs} ms. Raise 'skills.evaluation.timeoutMs'.`), timeoutMs)
  const cancel = () => stop('the review was cancelled.')
  if (cancelled?.aborted) cancel()
  cancelled?.addEventListener('abort', cancel, { once: true })
  const budget = model && startModelBudget(model, { timeoutMs, signal: stopping.signal, clock, task: TASK })
  const unknown = (error: HermesError) => withoutVerdict(error.message, decided ?? (isOwnOrigin(origin) ? 'apply' : 'hold'))
  try {
    const { name, path } = change.skill
    const files = change.isNew ? ok(NO_FILES) : await readSkillFiles(path, store)
    // Without them, its checks would not be seen.
    if (!files.ok) return unknown(files.error)
    const replaced = await readReplaced(store, change)
    if (!replaced.ok) return unknown(replaced.error)
    const before = files.value
    const context: SkillEvaluationContext = {
      name,
      path,
      before: change.isNew ? undefined : before,
      after: withChange(before, change),
      replaces: replaced.value,
      origin,
      ask: budget && askWithin(budget, maxTokens, 'skills.evaluation.maxTokens'),
      signal: stopping.signal,
    }
    const answer = await answerOf(() => evaluator(proposal, context), stopping.signal)
    return answer.ok ? answer.value : unknown(answer.error)
  } finally {
    clearTimeout(timer)
    cancelled?.removeEventListener('abort', cancel)
    budget?.end()
    const cost = budget?.cost()
    if (cost) onCost?.(cost)
  }
}
