/** What the page is sent, as JSON. Texts are those of the home, unchanged; times are epoch milliseconds, 0 = unknown. */
import type { JournalRecord, MemoryTarget } from '@hermes/core'
import type { LedgerRow, SessionSummary, StoredSession } from '@hermes/core/journal'
import type { EntryOrigin } from '@hermes/core/memory'
import type { SkillRow } from '@hermes/core/skills'

export interface AboutView {
  readonly write: boolean
  /** True if there are many owners, one of whom each other request names. */
  readonly manyOwners: boolean
  readonly label: string | undefined
}

/** One file or entry: what it holds, and what it would hold. */
export interface ChangeView {
  readonly title: string
  readonly before: string
  readonly after: string
}

export interface InboxItem {
  readonly id: string
  readonly at: number
  readonly target: MemoryTarget | 'skill'
  /** Whose notes it is for; for a skill, where it was learned. */
  readonly project: string | undefined
  readonly changes: readonly ChangeView[]
  /** Why it waits. */
  readonly reason: string
  readonly rationale: string
  readonly origin: string | undefined
  readonly score: number
  readonly quotes: readonly string[]
  readonly sessionId: string | undefined
  readonly model: string | undefined
  /** What the review's model was shown. */
  readonly pass: JournalRecord['pass']
  /** Why it cannot be approved as things are; undefined if it can. */
  readonly problem: string | undefined
  /** The text that an edit starts from; undefined if there is nothing to edit. */
  readonly editable: string | undefined
}

export interface InboxView {
  readonly total: number
  readonly items: readonly InboxItem[]
}

/** After a change: what was done, and how to undo it. */
export interface DoneView {
  readonly message: string
  /** For `POST undo`; undefined if it cannot be undone here. */
  readonly undo: string | undefined
}

/** What an erasure removed or would remove. */
export interface ForgetView {
  /** Without the kinds of which there is nothing. */
  readonly erased: readonly { readonly what: string; readonly count: number }[]
  /** The projects whose documents are among these. */
  readonly projects: readonly string[]
  /** Documents that still contain the text, or may contain it. */
  readonly remaining: readonly { readonly path: string; readonly reason: string }[]
}

export interface BudgetView {
  readonly target: MemoryTarget
  readonly enabled: boolean
  /** Code points, delimiters included. */
  readonly usedChars: number
  readonly charLimit: number
  readonly entries: number
}

export interface PromptView {
  readonly sessions: readonly SessionSummary[]
  /** The shown session; undefined if there is none. */
  readonly session: (StoredSession & { readonly tokens: number }) | undefined
  /** What a session would freeze that starts now. */
  readonly next: string
  readonly nextTokens: number
  readonly budgets: readonly BudgetView[]
  /** Of the background calls of the last 30 days. */
  readonly cache: { readonly inputTokens: number; readonly cachedInputTokens: number; readonly runs: number }
}

export interface EntryView {
  readonly target: MemoryTarget
  readonly text: string
  readonly origin: EntryOrigin
  readonly firstSeenAt: number
  readonly lastConfirmedAt: number
  readonly pinned: boolean
  /** Such as `until 2026-12-04`; empty if it always holds. */
  readonly time: string
  /** Why the agent does not see it; empty if it does. */
  readonly blockedFor: readonly string[]
}

export interface ArchivedEntryView {
  readonly id: string
  readonly target: MemoryTarget
  readonly text: string
  readonly origin: EntryOrigin
  readonly forgottenAt: number
  readonly reason: string | undefined
  readonly replacedBy: string | undefined
  readonly restorable: boolean
}

export interface MemoryView {
  /** All that have notes, by name. */
  readonly projects: readonly string[]
  /** Whose notes these are; undefined for the memory of the person. */
  readonly project: string | undefined
  readonly budgets: readonly BudgetView[]
  readonly entries: readonly EntryView[]
  readonly archived: readonly ArchivedEntryView[]
  readonly archivedTotal: number
  /** Notes that a team shares, which are only read. */
  readonly shared: readonly { readonly text: string; readonly time: string }[]
  readonly problems: readonly string[]
}

/** The records about a text and about the texts that it replaced, oldest first. */
export interface WhyView {
  readonly records: readonly JournalRecord[]
}

/** A row with what a chart shows. */
export interface ChartedSkillRow extends SkillRow {
  /** Uses on each of the last 60 UTC days, oldest first, as far as they were counted by day. */
  readonly daily: readonly number[]
}

export interface SkillsView {
  readonly total: number
  readonly rows: readonly ChartedSkillRow[]
  readonly counts: {
    readonly all: number
    readonly active: number
    readonly stale: number
    readonly pinned: number
    readonly shared: number
  }
  readonly problems: readonly string[]
}

/** A skill that was merged into another one, and is in the archive. */
export interface MergeView {
  /** For `restore`. */
  readonly id: string
  readonly name: string
  readonly archivedAt: number
  readonly reason: string | undefined
  /** Its SKILL.md as the merge kept it; undefined if that copy is gone. */
  readonly text: string | undefined
}

export interface SkillDetail {
  readonly row: ChartedSkillRow
  readonly content: string
  readonly files: readonly string[]
  /** Newest first. */
  readonly merges: readonly MergeView[]
  readonly records: readonly JournalRecord[]
}

interface ArchivedSkillRow {
  readonly id: string
  readonly name: string
  readonly archivedAt: number
  readonly reason: string | undefined
  readonly absorbedInto: string | undefined
}

export interface BackupRow {
  readonly id: string
  readonly createdAt: number
  readonly reason: string
  readonly skillCount: number
  readonly bytes: number
}

export interface UpkeepView {
  readonly archived: readonly ArchivedSkillRow[]
  readonly archivedTotal: number
  readonly backups: readonly BackupRow[]
  readonly lastRunAt: number
  readonly paused: boolean
  readonly running: boolean
  readonly problems: readonly string[]
}

export interface DayView {
  /** `2026-05-23`, in UTC. */
  readonly day: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly runs: number
  readonly applied: number
  readonly held: number
  readonly rejected: number
  readonly failed: number
  /** Memory entries at the end of the day. */
  readonly entries: number
}

export interface LedgerView {
  readonly days: readonly DayView[]
  readonly total: LedgerRow
  readonly byModel: readonly LedgerRow[]
  /** Newest first. */
  readonly calls: readonly JournalRecord[]
}

export interface JournalPage {
  /** Newest first. */
  readonly records: readonly JournalRecord[]
  /** For the next page; undefined on the last one. */
  readonly next: { readonly until: number; readonly skip: number } | undefined
}

type JobState = 'running' | 'done' | 'failed' | 'cancelled'

export interface JobView {
  readonly id: string
  readonly title: string
  readonly state: JobState
  readonly done: number
  /** 0 = unknown. */
  readonly total: number
  readonly message: string
  readonly cancellable: boolean
}

export const STAGES = ['turn', 'nudge', 'words', 'everything', 'gate', 'write'] as const

export type Stage = (typeof STAGES)[number]

export interface LiveMessage {
  /** Parts of the page to read again. */
  readonly changed: boolean
  /** Stages of the loop that have just been passed. */
  readonly stages: readonly Stage[]
  /** One line about each. */
  readonly said: readonly string[]
}
