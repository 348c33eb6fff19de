/** Whether a merge may be carried out: the gate, then the host's evaluator, before anything is written (DESIGN 5, 7). */
import { evaluationBy } from '../../evaluation/evaluation.ts'
import type { EvaluationMeans } from '../../evaluation/skill-evaluator.ts'
import { traceMerge } from '../../gate/trace-merge.ts'
import { ok, type Result } from '../../shared/result.ts'
import { decodeSkillText } from '../../skills/read-skill.ts'
import { SKILL_FILE } from '../../skills/skill-discovery.ts'
import type { CuratorHome } from '../curator-home.ts'
import { askGate, type GatedChange, type MergeVerdict, originalTexts } from './gate.ts'
import type { PreparedUmbrella } from './prepare.ts'

/** `model`: that of the merge, for the questions of the evaluator if there is none for reviews. An error means that the gate failed. */
export const judgeMerge = async (
  prepared: PreparedUmbrella,
  changes: readonly GatedChange[],
  { gate, skills, clock, options: { skills: settings, review } }: CuratorHome,
  { model, signal, onCost }: Omit<EvaluationMeans, 'clock'>,
): Promise<Result<MergeVerdict>> => {
  const asked = await askGate(gate, changes, originalTexts(prepared), await traceMerge(prepared.merged))
  const [umbrella] = changes
  const evaluator = settings?.evaluate
  if (!asked.ok || asked.value.verdict !== 'approve' || !umbrella || !evaluator) return asked
  const { folder, before, content, writes, sources } = prepared
  const files = new Map([[SKILL_FILE, content], ...writes.map(({ filePath, bytes }) => [filePath, decodeSkillText(bytes)] as const)])
  const change = { skill: folder, isNew: before === undefined, files, replaces: sources.map(({ skill }) => skill) }
  const evaluate = evaluationBy({ evaluator, ...settings.evaluation }, { model: review.model ?? model, clock, signal, onCost })
  const verdict = asked.value
  const evaluation = await evaluate?.(umbrella.proposal, change, skills, verdict.origin ?? 'assistant')
  if (!evaluation) return asked
  const reason = evaluation.verdict === 'approve' ? verdict.reason : evaluation.reason
  return ok({ ...verdict, verdict: evaluation.verdict, reason, evaluation })
}
