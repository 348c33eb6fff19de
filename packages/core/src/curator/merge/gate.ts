/** Submits what a merge would write to the gate, with the merged skills as the transcript (DESIGN 5), and holds or records what is not approved. */
import type { SkillEvaluation } from '../../evaluation/skill-evaluator.ts'
import { leastWilling, type ReviewGate, toVerdict, type Verdict } from '../../gate/review-gate.ts'
import { describeUntraced, type Untraced } from '../../gate/trace-merge.ts'
import type { JournalRecordInput } from '../../journal/journal.ts'
import { createPending } from '../../journal/pending.ts'
import type { SkillProposal } from '../../proposal/review-proposal.ts'
import type { Transcript } from '../../proposal/transcript.ts'
import { HermesError, messageOf } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { inTransaction } from '../../storage/in-transaction.ts'
import { type CuratorHome, journalAt } from '../curator-home.ts'
import { toHeld } from './held-merge.ts'
import type { Merge } from './plan-merge.ts'
import type { PreparedUmbrella } from './prepare.ts'
import type { PlannedPruning } from './rules.ts'

/** A change of one file, with its present text and version; undefined for a new file. */
export interface GatedChange {
  readonly proposal: SkillProposal
  readonly current: { readonly text: string; readonly version: string } | undefined
}

/** With what the host's evaluator says, if the gate approves. */
export interface MergeVerdict extends Verdict {
  readonly evaluation?: SkillEvaluation | undefined
}

/** The journal's record of a change by a merge. `model`: the one that proposed it. */
const recordOf = (
  { proposal: { op, score, rationale } }: GatedChange,
  { origin, evaluation }: Pick<MergeVerdict, 'origin' | 'evaluation'>,
  recorded: Pick<JournalRecordInput, 'kind' | 'reason' | 'previous' | 'files' | 'pendingId'>,
  model: string | undefined,
): JournalRecordInput => ({
  actor: 'curator',
  ...recorded,
  target: 'skill',
  op,
  score,
  ...(rationale === '' ? {} : { rationale }),
  ...(origin === undefined ? {} : { origin }),
  ...(evaluation === undefined ? {} : { evaluation }),
  ...(model === undefined ? {} : { model }),
})

/** `previous`: the umbrella's text before. `beside`: its new files that no change is about. */
export const appliedRecords = (
  changes: readonly GatedChange[],
  verdict: MergeVerdict,
  previous: string | undefined,
  model: string | undefined,
  beside: Pick<JournalRecordInput, 'files'> = {},
): readonly JournalRecordInput[] =>
  changes.map((change, at) => {
    const before = at === 0 && previous !== undefined ? { previous: [previous], ...beside } : {}
    return recordOf(change, verdict, { kind: 'applied', reason: verdict.reason, ...before }, model)
  })

/** The agent wrote these skills or was granted them, so their text counts as the agent's own and not as outside content. */
const toTranscript = (texts: readonly string[]): Transcript =>
  texts.map((text, index) => ({ id: `m${index + 1}`, role: 'assistant', origin: 'assistant', text }))

const NOTHING: Verdict = { verdict: 'reject', reason: 'There was nothing to decide.' }

const gateFailed = (cause: unknown): HermesError => {
  const why = messageOf(cause)
  return new HermesError('gate', `The gate failed, so nothing more was written: ${why}`, { cause })
}

/**
 * The most restrictive verdict on changes that are written together; on a gate error none of them may be written. `untraced`: what the model wrote and no source says
 * waits at every trust level.
 */
export const askGate = async (
  gate: ReviewGate,
  changes: readonly GatedChange[],
  texts: readonly string[],
  untraced: readonly Untraced[] = [],
): Promise<Result<Verdict>> => {
  const transcript = toTranscript(texts)
  const verdicts: Verdict[] = []
  for (const { proposal, current } of changes) {
    try {
      const entries = { memory: [], user: [] }
      const asked = await gate(proposal, { transcript, entries, skill: { current: current?.text }, unattended: true })
      if (!asked.ok) return err(gateFailed(asked.error))
      verdicts.push(toVerdict(asked.value))
    } catch (cause) {
      return err(gateFailed(cause))
    }
  }
  const verdict = leastWilling(verdicts) ?? verdicts[0] ?? NOTHING
  if (untraced.length === 0 || verdict.verdict === 'reject') return ok(verdict)
  const reason = describeUntraced(untraced)
  return ok({ ...verdict, verdict: 'hold', reason: verdict.verdict === 'hold' ? `${verdict.reason} ${reason}` : reason })
}

/** Holds a change as one proposal, with the merge that it is part of, and records it; a rejected one is recorded. One update. Resolves to the id of the proposal. */
export const keepUnapproved = async (
  home: CuratorHome,
  changes: readonly GatedChange[],
  verdict: MergeVerdict,
  merge: Merge,
  model: string | undefined,
): Promise<Result<string | undefined>> => {
  const { reason, origin } = verdict
  const at = home.clock()
  const journal = journalAt(home, at)
  const [first] = changes
  const isHeld = verdict.verdict === 'hold' && first !== undefined
  const base = first?.current?.version ?? null
  return inTransaction(home.storage, async (over) => {
    const pending = createPending({ storage: over, clock: () => at })
    const held = isHeld ? await pending.hold({ proposals: [first.proposal], base, reason, origin, model, ...toHeld(merge) }) : ok(undefined)
    if (!held.ok) return held
    const id = held.value?.id
    const recorded = id === undefined ? ({ kind: 'rejected', reason } as const) : ({ kind: 'held', reason, pendingId: id } as const)
    const append = journal.append(changes.map((change) => recordOf(change, verdict, recorded, model)))
    const written = await over.update([journal.path], () => ({ append, value: undefined }))
    return written.ok ? ok(id) : written
  })
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
