/** What an undo does: one step for each change that a journal record tells of. */
import type { EntryDates, MemoryOp, MemoryTarget } from '../memory/memory-op.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import type { JournalRecord } from './journal-record.ts'
import type { PendingProposal } from './pending.ts'

/** What a write left in a file: the text, what makes it of the text before, or the version of a file that the journal does not keep. */
export type WrittenFile =
  | { readonly text: string }
  | { readonly oldText: string; readonly newText: string; readonly replaceAll: boolean }
  | { readonly version: string }

/** `project`: whose store it is, for the target `project`. */
interface StoreToChange {
  readonly target: MemoryTarget
  readonly project?: string | undefined
}

/** The store that a record is about. */
export const storeOf = (target: MemoryTarget, { project }: JournalRecord): StoreToChange =>
  target === 'project' && project !== undefined ? { target, project } : { target }

/** One change that an undo makes. */
export type UndoStep =
  /** `dates`: of the entry that comes back. */
  | (StoreToChange & { readonly kind: 'memory'; readonly op: MemoryOp; readonly dates?: EntryDates | undefined })
  | (StoreToChange & { readonly kind: 'restore-entry'; readonly text: string })
  | (StoreToChange & { readonly kind: 'pin-entry'; readonly text: string; readonly pinned: boolean })
  | {
      readonly kind: 'skill-file'
      readonly name: string
      /** `SKILL.md` for the skill itself. */
      readonly filePath: string
      /** What the file holds since the write; undefined: no file. */
      readonly written: WrittenFile | undefined
      /** What it held before; undefined: no file. */
      readonly before: string | undefined
    }
  /** `written`: its SKILL.md since the write; undefined: whatever it holds. */
  | { readonly kind: 'archive-skill'; readonly name: string; readonly written?: WrittenFile | undefined }
  /** `at`: when it was archived, in epoch milliseconds. */
  | { readonly kind: 'restore-skill'; readonly name: string; readonly at: number }
  | { readonly kind: 'pin-skill'; readonly name: string; readonly pinned: boolean }
  | { readonly kind: 'pause'; readonly paused: boolean }
  | {
      readonly kind: 'rollback'
      readonly backup: string
      /** The backup that the skills were equal to before the write, or after it. */
      readonly since: string
      /** Names of the skills that the write itself archived, at the time of that backup. */
      readonly archived: readonly string[]
    }
  | { readonly kind: 'put-back'; readonly proposal: PendingProposal }
  /** In the place of a `put-back`: the journal does not keep all that the proposal consisted of. Changes nothing. */
  | { readonly kind: 'no-proposal' }
  /** A decision that an undo took back is made again. `op`: what the proposal with this id asks for. */
  | {
      readonly kind: 'decide'
      readonly id: string
      readonly verb: 'approve' | 'reject'
      readonly op: MemoryOp | SkillOp
      readonly target: JournalRecord['target']
      readonly project?: string | undefined
    }
