/**
 * Submits what a consolidation would write to the gate, with the merged skills as the transcript (DESIGN 5), and records rejected and
 * held changes.
 */
import type { RefusedConsolidation } from '../../curator/report/consolidation-report.ts'
import { leastWilling, type ReviewGate, type Verdict } from '../../gate/review-gate.ts'
import { describeUntraced, type Untraced } from '../../gate/trace-merge.ts'
import type { JournalRecordInput } from '../../journal/journal.ts'
import type { SkillProposal } from '../../proposal/review-proposal.ts'
import type { Transcript } from '../../proposal/transcript.ts'
import { askGate } from '../../review/apply/ask-gate.ts'
import { type RecordedResult, toRecord } from '../../review/apply/disposal.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { PreparedUmbrella } from '../plan/prepare.ts'
import type { PlannedPruning } from '../plan/rules.ts'
import type { ConsolidationPass } from '../run.ts'

/** A journal error does not undo the decision. */
export const tell = async (records: readonly JournalRecordInput[], { journal, run }: ConsolidationPass): Promise<void> => {
  const told = await journal?.append(records)
  if (told && !told.ok) run.problems.push(told.error)
}

/** The journal's record of a change by this consolidation. */
export const recordOf = (
  { proposal }: GatedChange,
  verdict: Verdict,
  recorded: RecordedResult,
  { model }: Pick<ConsolidationPass, 'model'>,
): JournalRecordInput => toRecord({ actor: 'curator', ...(model ? { model } : {}) }, recorded, proposal, verdict)

/** A yes of the gate, or its hold, with what the merged text says and its skills do not: that waits at every trust level. */
const withTrace = (verdict: Verdict, untraced: readonly Untraced[]): Verdict => {
  if (untraced.length === 0 || verdict.verdict === 'reject') return verdict
  const reason = describeUntraced(untraced)
  return { ...verdict, verdict: 'hold', reason: verdict.verdict === 'hold' ? `${verdict.reason} ${reason}` : reason }
}

/**
 * Only approved changes may be made: a rejection is reported, a held change waits. `untraced`: what the model wrote and no source says.
 */
export const askApproval = async (
  changes: readonly GatedChange[],
  texts: readonly string[],
  about: Pick<RefusedConsolidation, 'kind' | 'names' | 'into'>,
  pass: ConsolidationPass,
  untraced: readonly Untraced[] = [],
): Promise<Result<Verdict>> => {
  const { run, dryRun, pending, model } = pass
  const asked = await askAll(pass.gate, changes, texts)
  if (!asked.ok) return asked
  const decided = withTrace(asked.value, untraced)
  const { verdict, reason, origin } = decided
  if (verdict === 'approve') return ok(decided)
  const pendingIds = new Map<GatedChange, string>()
  if (verdict === 'reject') run.refused.push({ ...about, why: reason })
  else {
    for (const change of dryRun ? [] : changes) {
      const { proposal, current } = change
      const kept = await pending?.hold({ proposals: [proposal], base: current?.version ?? null, reason, origin, model: model?.() })
      if (kept?.ok) pendingIds.set(change, kept.value.id)
      else if (kept) run.problems.push(kept.error)
    }
    run.held.push({ names: about.names, into: about.into, why: reason, pendingIds: [...pendingIds.values()] })
  }
  if (!dryRun) {
    const told = verdict === 'hold' ? ({ kind: 'held', reason } as const) : ({ kind: 'rejected', reason } as const)
    const records = changes.map((change): JournalRecordInput => {
      const pendingId = pendingIds.get(change)
      return recordOf(change, decided, { ...told, ...(pendingId === undefined ? {} : { pendingId }) }, pass)
    })
    await tell(records, pass)
  }
  return ok(decided)
}

/** A change of one file, with its present text and version; undefined for a new file. */
export interface GatedChange {
  readonly proposal: SkillProposal
  readonly current: { readonly text: string; readonly version: string } | undefined
}

/** The agent wrote these skills or was granted them, so their text counts as the agent's own and not as outside content. */
const toTranscript = (texts: readonly string[]): Transcript =>
  texts.map((text, index) => ({ id: `m${index + 1}`, role: 'assistant', origin: 'assistant', text }))

const NOTHING: Verdict = { verdict: 'reject', reason: 'There was nothing to decide.' }

/** The most restrictive verdict on changes that are written together. On a gate error none of them may be written. */
const askAll = async (gate: ReviewGate, changes: readonly GatedChange[], texts: readonly string[]): Promise<Result<Verdict>> => {
  const transcript = toTranscript(texts)
  const verdicts: Verdict[] = []
  for (const { proposal, current } of changes) {
    const entries = { memory: [], user: [] }
    const asked = await askGate(gate, proposal, { transcript, entries, skill: { current: current?.text }, unattended: true })
    if (!asked.ok) return asked
    verdicts.push(asked.value)
  }
  return ok(leastWilling(verdicts) ?? verdicts[0] ?? NOTHING)
}

const MAX_RATIONALE = 2_000

/** The umbrella's text first, then the model's other files. Files copied from the skills are not new text and are not judged. */
export const toUmbrellaChanges = ({ folder, before, content, written, sources, score }: PreparedUmbrella): readonly GatedChange[] => {
  const names = sources.map(({ skill }) => skill.name).join(', ')
  const reasons = [...new Set(sources.map(({ reason }) => reason))].filter((reason) => reason !== '').join(' ')
  const rationale = `Takes in ${names}. ${reasons}`.trim().slice(0, MAX_RATIONALE)
  const { name, category } = folder
  return [
    {
      current: before,
      proposal: {
        target: 'skill',
        op: before ? { action: 'edit', name, content } : { action: 'create', name, category, content },
        rationale,
        score,
      },
    },
    ...written.map(
      ({ path, content: text }): GatedChange => ({
        current: undefined,
        proposal: { target: 'skill', op: { action: 'write_file', name, filePath: path, content: text }, rationale, score },
      }),
    ),
  ]
}

export const toPruningChange = ({ skill, reason, score }: PlannedPruning): GatedChange => ({
  current: skill,
  proposal: { target: 'skill', op: { action: 'archive', name: skill.name }, rationale: reason.slice(0, MAX_RATIONALE), score },
})

/** The evidence for the gate: every source skill, and the umbrella as it is. */
export const originalTexts = ({ before, sources }: PreparedUmbrella): readonly string[] => [
  ...sources.map(({ skill }) => skill.text),
  ...(before ? [before.text] : []),
]
