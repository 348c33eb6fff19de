/** One line of the journal: every proposal and every write, so that each can be explained and undone (DESIGN 5). */
import * as z from 'zod/mini'
import { type EntryDates, type EvictedEntry, isConfirmation, type MemoryOp, type MemoryTarget } from '../memory/memory-op.ts'
import { memoryOpSchema, memoryTargetSchema } from '../memory/memory-op-schema.ts'
import { addCosts } from '../model/add-costs.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import { type Evidence, evidenceSchema } from '../proposal/review-proposal.ts'
import type { ShapeOf } from '../shared/check-shape.ts'
import { ORIGINS, type Origin } from '../shared/origin.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { skillOpSchema } from '../skills/skill-op-schema.ts'
import { projectSchema } from '../storage/project-schema.ts'
import { dayOf } from './journal-days.ts'

const UPKEEP_ACTIONS = ['restore', 'pin', 'unpin', 'manage', 'unmanage', 'pause', 'resume', 'backup', 'rollback', 'prune', 'erase'] as const

/** A change by a person or the host's code other than writing text. */
export interface JournalUpkeep {
  readonly action: (typeof UPKEEP_ACTIONS)[number]
  /** The object of the change: a skill, an entry of memory, the scope of a grant, a backup id. */
  readonly subject?: string | undefined
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/** Whether a changed skill works, as `skills.evaluate` found it. */
interface JournalEvaluation {
  readonly verdict: 'approve' | 'hold' | 'reject'
  readonly reason: string
  readonly evidence?: readonly string[] | undefined
}

const LEDGER_KINDS = ['review-retried', 'review-finished', 'review-failed', 'review-stopped', 'curator-finished', 'curator-failed'] as const

export type LedgerKind = (typeof LEDGER_KINDS)[number]

export interface JournalRecord {
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly sessionId?: string | undefined
  /** The same in all records of one review. */
  readonly review?: string | undefined
  /** Who did it: the reviewer after the turn, the agent's own tool call, the host's code, a person, or the curator. */
  readonly actor: 'review' | 'agent' | 'host' | 'person' | 'curator'
  /**
   * `applied`, `rejected`, `held` (see `pendingId`), `settled` (a held proposal or an entry from outside, confirmed by own words),
   * `failed` (approved, but the store refused), `invalid` (not a proposal). `review-retried`: a review begins that reads turns again. `review-finished`, `review-failed` (see `error`),
   * `review-stopped`, `curator-finished`, `curator-failed`: the end of a review or a curator run, with the cost of its model calls in
   * `cost`. That of a change by the agent's own call, if it was evaluated, is in its record.
   */
  readonly kind: 'applied' | 'rejected' | 'held' | 'settled' | 'failed' | 'invalid' | LedgerKind
  readonly reason: string
  /** For a review: what its model was shown, own words alone or everything. */
  readonly pass?: 'own-words' | 'everything' | undefined
  readonly target?: MemoryTarget | 'skill' | undefined
  /** Whose store it is, for the target `project`; for a skill, the project that it was learned in. */
  readonly project?: string | undefined
  /** To the library of skills, or, if `target` is set, to an entry of memory. */
  readonly upkeep?: JournalUpkeep | undefined
  /** A skill operation if `target` is `skill`; very long texts are cut, with a mark. */
  readonly op?: MemoryOp | SkillOp | undefined
  /** An invalid proposal, as JSON text cut at 2,000 characters. */
  readonly raw?: string | undefined
  readonly rationale?: string | undefined
  readonly score?: number | undefined
  readonly origin?: Origin | undefined
  readonly evidence?: readonly Evidence[] | undefined
  /** Entries before a replace or remove; for a skill the file's whole former text. */
  readonly previous?: readonly string[] | undefined
  /**
   * For memory: origin, first and last confirmed time (ms; 0 unknown) of the entry in `previous` and of the entry that `op` wrote or
   * confirmed.
   */
  readonly facts?: { readonly previous?: EntryDates | undefined; readonly content?: EntryDates | undefined } | undefined
  /** Memory entries archived to make room; on the first record of a write. */
  readonly evicted?: readonly EvictedEntry[] | undefined
  /** The archive id of the entry that an `add` brought back to memory. */
  readonly restoredFrom?: string | undefined
  readonly pendingId?: string | undefined
  /** The proposal that was decided had files or a merge beside its operation, which the journal does not keep. */
  readonly partial?: true | undefined
  /** For a skill: the versions of files that were written and whose whole text is not in `op`: a long one, and what a merge put beside the text. */
  readonly files?: readonly { readonly path: string; readonly version: string }[] | undefined
  /** The ids of the records that this write takes back. */
  readonly undoes?: readonly string[] | undefined
  /** For a skill: the model that wrote or proposed it, as its provider names it. */
  readonly model?: string | undefined
  /** For a change of a skill: the failed use that it repairs. */
  readonly repairs?: { readonly sessionId: string; readonly turn: number; readonly tool: string } | undefined
  /** For a skill: what the host's evaluator said. */
  readonly evaluation?: JournalEvaluation | undefined
  /** Tokens and milliseconds of the model calls of one review or curator run. Undefined if no model was called. */
  readonly cost?: LearningCost | undefined
  readonly error?: { readonly code: string; readonly message: string } | undefined
  /** Only in a record of Python Hermes, which `list({ python: true })` reads from its ledger. */
  readonly python?: PythonChange | undefined
}

/** A change to a skill, as Python Hermes recorded it. */
export interface PythonChange {
  /** As Python calls it, such as `create`, `patch`, `write_file`, `delete`, `archive`, `rollback`. */
  readonly action: string
  readonly skill: string
  /** What changed, without files that stayed the same. `path`: in the folder of the skill; `archived`: the name of that folder, if it is in the archive; `before`, `after`: the SHA-256 of its content. */
  readonly files: readonly {
    readonly path: string
    readonly category?: string | undefined
    readonly archived?: string | undefined
    readonly before?: string | undefined
    readonly after?: string | undefined
  }[]
  /** Number of changed files outside the folder of the skill. */
  readonly elsewhere: number
}

export const ACTORS = ['review', 'agent', 'host', 'person', 'curator'] as const
export const KINDS = ['applied', 'rejected', 'held', 'settled', 'failed', 'invalid', ...LEDGER_KINDS] as const
export const PASSES = ['own-words', 'everything'] as const

const entryDatesSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    origin: z.enum([...ORIGINS, 'external']),
    firstSeenAt: z.number(),
    lastConfirmedAt: z.number(),
    pinned: z.optional(z.literal(true)),
    from: z.optional(z.string()),
    until: z.optional(z.string()),
  } satisfies ShapeOf<EntryDates>),
)

const opSchema: z.ZodMiniType<MemoryOp | SkillOp> = /* @__PURE__ */ z.lazy(() => z.union([memoryOpSchema, skillOpSchema]))

const costSchema: z.ZodMiniType<LearningCost> = /* @__PURE__ */ z.lazy(() =>
  z.object({
    model: z.exactOptional(z.string()),
    calls: z.number(),
    inputTokens: z.number(),
    cachedInputTokens: z.number(),
    outputTokens: z.number(),
    estimated: z.boolean(),
    durationMs: z.number(),
  } satisfies ShapeOf<LearningCost>),
)

const evaluationSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    verdict: z.enum(['approve', 'hold', 'reject']),
    reason: z.string(),
    evidence: z.optional(z.array(z.string())),
  } satisfies ShapeOf<JournalEvaluation>),
)

const upkeepSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    action: z.enum(UPKEEP_ACTIONS),
    subject: z.optional(z.string()),
    before: z.optional(z.string()),
    after: z.optional(z.string()),
  } satisfies ShapeOf<JournalUpkeep>),
)

export const journalRecordSchema: z.ZodMiniType<JournalRecord> = /* @__PURE__ */ z.lazy(() =>
  z.object({
    id: z.string(),
    at: z.number(),
    sessionId: z.optional(z.string()),
    review: z.optional(z.string()),
    actor: z.enum(ACTORS),
    kind: z.enum(KINDS),
    reason: z.string(),
    pass: z.optional(z.enum(PASSES)),
    target: z.optional(z.union([memoryTargetSchema, z.literal('skill')])),
    project: z.optional(projectSchema),
    upkeep: z.optional(upkeepSchema),
    op: z.optional(opSchema),
    raw: z.optional(z.string()),
    rationale: z.optional(z.string()),
    score: z.optional(z.number()),
    origin: z.optional(z.enum(ORIGINS)),
    evidence: z.optional(z.array(evidenceSchema)),
    previous: z.optional(z.array(z.string())),
    facts: z.optional(z.object({ previous: z.optional(entryDatesSchema), content: z.optional(entryDatesSchema) })),
    evicted: z.optional(z.array(z.object({ text: z.string(), origin: z.enum(ORIGINS) }))),
    restoredFrom: z.optional(z.string()),
    pendingId: z.optional(z.string()),
    partial: z.optional(z.literal(true)),
    files: z.optional(z.array(z.object({ path: z.string(), version: z.string() }))),
    undoes: z.optional(z.array(z.string())),
    model: z.optional(z.string()),
    repairs: z.optional(z.object({ sessionId: z.string(), turn: z.number(), tool: z.string() })),
    evaluation: z.optional(evaluationSchema),
    cost: z.optional(costSchema),
    error: z.optional(z.object({ code: z.string(), message: z.string() })),
  } satisfies ShapeOf<Omit<JournalRecord, 'python'>>),
)

/**
 * Whether an `add` wrote nothing new: the entry was there, and only its date changed. A restored one keeps its first date, but is new in the store; one that the
 * write gave another origin has its former one in `facts.previous`.
 */
export const onlyConfirmed = ({ op, facts, restoredFrom }: JournalRecord): boolean =>
  op !== undefined && restoredFrom === undefined && isConfirmation(op, facts)

// The sums of what learning has cost. Pure.

/** `day`: in UTC. `kind`: `review`, also for what the agent changes itself, or `curator`. */
export type LedgerGrouping = 'day' | 'model' | 'kind' | 'session'

export interface LedgerRow extends Omit<LearningCost, 'model'> {
  /** Key of the group: `2026-05-23`, the model's id, `review`, a session id. Undefined for records without one. */
  readonly key: string | undefined
  /** Number of reviews, curator runs and evaluations of the agent's own changes that called a model. */
  readonly runs: number
  /** Number of those that failed or were stopped. */
  readonly unfinished: number
}

export interface LedgerSum {
  /** Days oldest first; other groups by tokens, highest first. */
  readonly rows: readonly LedgerRow[]
  /** Over all rows; its `key` is undefined. */
  readonly total: LedgerRow
}

const UNFINISHED: ReadonlySet<JournalRecord['kind']> = new Set(['review-failed', 'review-stopped', 'curator-failed'])

const keyOf = ({ at, actor, sessionId, cost }: JournalRecord, by: LedgerGrouping): string | undefined => {
  if (by === 'day') return dayOf(at)
  if (by === 'kind') return actor === 'curator' ? 'curator' : 'review'
  return by === 'model' ? cost?.model : sessionId
}

const toRow = (key: string | undefined, records: readonly JournalRecord[]): LedgerRow => {
  const { model: _, ...cost } = addCosts(records.map(({ cost }) => cost)) ?? NOTHING
  return { key, runs: records.length, unfinished: records.filter(({ kind }) => UNFINISHED.has(kind)).length, ...cost }
}

const NOTHING: LearningCost = { calls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, estimated: false, durationMs: 0 }

const tokensOf = ({ inputTokens, outputTokens }: LedgerRow): number => inputTokens + outputTokens

const byKey = ({ key: a = '' }: LedgerRow, { key: b = '' }: LedgerRow): number => (a < b ? -1 : a > b ? 1 : 0)

/** Records without `cost` are left out. Default: by day. */
export const sumLedger = (records: readonly JournalRecord[], { by = 'day' }: { readonly by?: LedgerGrouping } = {}): LedgerSum => {
  const counted = records.filter(({ cost }) => cost !== undefined)
  const groups = new Map<string | undefined, JournalRecord[]>()
  for (const record of counted) {
    const key = keyOf(record, by)
    const group = groups.get(key)
    if (group) group.push(record)
    else groups.set(key, [record])
  }
  const rows = [...groups].map(([key, group]) => toRow(key, group))
  rows.sort((a, b) => (by === 'day' ? 0 : tokensOf(b) - tokensOf(a)) || byKey(a, b))
  return { rows, total: toRow(undefined, counted) }
}
