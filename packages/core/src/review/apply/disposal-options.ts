/** What a disposal is given: the gate, the stores, and how each result is recorded. */

import type { EvaluateSkill, SkillEvaluation } from '../../evaluation/skill-evaluator.ts'
import type { GateContext, ReviewGate, Verdict } from '../../gate/review-gate.ts'
import type { Journal } from '../../journal/journal.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import type { Pending } from '../../journal/pending.ts'
import type { LearningCost } from '../../model/learning-cost.ts'
import type { MemoryProposal, ReviewProposal, SkillProposal } from '../../proposal/review-proposal.ts'
import type { Clock } from '../../shared/clock.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import type { SkillReader } from '../../skills/skill-reader.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageStore } from '../../usage/usage-store.ts'
import type { DisposedProposal } from '../review-outcome.ts'
import type { WritableMemory } from './ask-gate.ts'

/** A turn in which a tool failed. */
export interface FailedTurn {
  readonly sessionId: string
  /** Its number in the session, from 1. */
  readonly turn: number
  readonly tool: string
}

export interface WritableSkills {
  /** The skills of the home, for writing and the reads that writing needs. */
  readonly store: SkillStore
  /** The skills that the agent sees: those of the store, then shared ones. Default: `store`. */
  readonly reader?: SkillReader
  readonly usage: UsageStore
  /** Holds the marks that show which skills came with the product, from a hub, or were handed over. */
  readonly storage: StorageBackend
  /** Determines which grants of a person are still valid. Default: the system clock. */
  readonly clock?: Clock
  /**
   * An unattended review may change only what it was shown in full: document path (such as `skills/devops/deploy/SKILL.md`) → version shown. Undefined: not
   * checked, for calls in front of the user.
   */
  readonly shown?: ReadonlyMap<string, string>
  /** Names of the skills that the session under review had loaded. Default: none. */
  readonly loaded?: ReadonlySet<string>
  /** By the name of a skill: the turn that loaded it and in which a tool failed, which no review of skills had read. Default: none. */
  readonly failed?: ReadonlyMap<string, FailedTurn>
  /** Called with each written file and its new version: the writer knows that text as if it had been shown. */
  readonly onWritten?: (path: string, version: string) => void
}

export interface DisposalOptions {
  readonly gate: ReviewGate
  readonly store: WritableMemory
  /** Where skills are written. Default: a proposal for a skill fails with `disabled`. */
  readonly skills?: WritableSkills | undefined
  /**
   * The gate's context, requested for each proposal. Missing fields are read from the store; without a context there is no transcript, and only the agent's
   * own calls are attended.
   */
  readonly context?: () => Partial<GateContext> | Promise<Partial<GateContext>>
  readonly journal?: Pick<Journal, 'append'> | undefined
  /** The queue of held proposals. What the pass over the user's own words writes no longer waits there. */
  readonly pending?: Pick<Pending, 'hold' | 'list' | 'remove'> | undefined
  /** An approved change that the storage fails to write is held: no later review tries it again. Default false: it fails. */
  readonly holdsUnwritten?: boolean
  /** For a review that reads turns again: the journal that tells whether a person has decided the same already. */
  readonly decisions?: Pick<Journal, 'list'> | undefined
  readonly sessionId?: string | undefined
  /** The session that holds a proposal's evidence. Default: `sessionId`. */
  readonly sessionOf?: (proposal: ReviewProposal) => string | undefined
  /** The review under way, for the journal. */
  readonly reviewId?: string
  /** The proposing model, as its provider names it; undefined if unknown. Recorded with what is written to skills. */
  readonly model?: () => string | undefined
  /** What the reviewer was shown, for the journal. */
  readonly pass?: JournalRecord['pass']
  /** Default `review`. */
  readonly actor?: JournalRecord['actor']
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Called if a journal or a queue could not be read or written. */
  readonly onFailure?: ((error: HermesError, operation: string) => void) | undefined
  /** What the gate and the evaluator have answered, for proposals that are disposed of again if others have written meanwhile. Default: none yet. */
  readonly answers?: Answers
  /** Says whether a changed skill works. Default: not asked. */
  readonly evaluate?: EvaluateSkill | undefined
  /** What evaluations have cost so far, for the journal. Default: recorded elsewhere, such as at the end of the review. */
  readonly spent?: () => LearningCost | undefined
}

export interface Answers {
  readonly verdicts: Map<string, Verdict>
  readonly evaluations: Map<string, SkillEvaluation | undefined>
}

export const noAnswers = (): Answers => ({ verdicts: new Map(), evaluations: new Map() })

/** One proposal for a skill, or those on one store of memory that are written together or not at all. */
export type Together = readonly [SkillProposal] | readonly [MemoryProposal, ...MemoryProposal[]]

/** The result of each. */
export type Results = readonly [DisposedProposal, ...DisposedProposal[]]
