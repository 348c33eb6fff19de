/** What an undo does: one step for each change that a journal record tells of. */
import type { MemoryOp, MemoryTarget, PendingProposal } from '@hermes/core'
import type { EntryFacts } from '@hermes/core/memory'

type Dates = Pick<EntryFacts, 'origin' | 'firstSeenAt' | 'lastConfirmedAt'>

export type UndoStep =
  /** `dates`: of the entry that comes back. */
  | { readonly kind: 'memory'; readonly target: MemoryTarget; readonly op: MemoryOp; readonly dates?: Dates | undefined }
  | { readonly kind: 'restore-entry'; readonly target: MemoryTarget; readonly text: string }
  | { readonly kind: 'pin-entry'; readonly target: MemoryTarget; readonly text: string; readonly pinned: boolean }
  | {
      readonly kind: 'skill-file'
      readonly name: string
      /** `SKILL.md` for the skill itself. */
      readonly filePath: string
      /** What the file holds since the write; undefined: no file. */
      readonly written: Written | undefined
      /** What it held before; undefined: no file. */
      readonly before: string | undefined
    }
  | { readonly kind: 'archive-skill'; readonly name: string; readonly written?: Written | undefined }
  /** `at`: when it was archived, in epoch milliseconds. */
  | { readonly kind: 'restore-skill'; readonly name: string; readonly at: number }
  | { readonly kind: 'pin-skill'; readonly name: string; readonly pinned: boolean }
  | { readonly kind: 'pause'; readonly paused: boolean }
  | {
      readonly kind: 'rollback'
      readonly backup: string
      /** The backup that the skills were equal to before the write, or after it. */
      readonly since: string
      /** Names of the skills that differ from it through the write itself; those that it archived need no mention. */
      readonly changed: readonly string[]
    }
  | { readonly kind: 'put-back'; readonly proposal: PendingProposal }
  /** In the place of a `put-back`: the journal does not keep all that the proposal consisted of. Changes nothing. */
  | { readonly kind: 'no-proposal' }
  /** `what`: the change that the proposal with this id asks for. */
  | { readonly kind: 'decide'; readonly id: string; readonly verb: 'approve' | 'reject'; readonly what: string }

/** A text, or what makes it of the text before. */
export type Written = { readonly text: string } | { readonly oldText: string; readonly newText: string; readonly replaceAll: boolean }

const FILES = { memory: 'MEMORY.md', user: 'USER.md' } as const

/** In the imperative: `remove from MEMORY.md: builds with pnpm`. */
export const describeStep = (step: UndoStep): string => {
  switch (step.kind) {
    case 'memory': {
      const { target, op } = step
      if (op.action === 'remove') return `remove from ${FILES[target]}: ${op.oldText}`
      return op.action === 'add' ? `add to ${FILES[target]}: ${op.content}` : `in ${FILES[target]}, put back: ${op.content}`
    }
    case 'restore-entry':
      return `bring back to ${FILES[step.target]}: ${step.text}`
    case 'pin-entry':
      return `${step.pinned ? 'pin' : 'unpin'} in ${FILES[step.target]}: ${step.text}`
    case 'skill-file': {
      const file = step.filePath === 'SKILL.md' ? `the skill ${step.name}` : `${step.filePath} of the skill ${step.name}`
      if (step.before === undefined) return `remove ${file}`
      return step.written === undefined ? `write ${file} again` : `put back ${file} as it was before`
    }
    case 'archive-skill':
      return `move the skill ${step.name} to the archive`
    case 'restore-skill':
      return `bring the skill ${step.name} back from the archive`
    case 'pin-skill':
      return `${step.pinned ? 'pin' : 'unpin'} the skill ${step.name}`
    case 'pause':
      return step.paused ? 'pause the curator' : 'resume the curator'
    case 'rollback':
      return `restore all skills from the backup ${step.backup}; the present ones are backed up first`
    case 'decide':
      return `${step.verb} the proposal again: ${step.what}`
    case 'no-proposal':
      return 'let no proposal wait again, since the journal keeps only a part of it; a run of the curator proposes a merge again once one of its skills has changed'
    case 'put-back':
      return 'let the proposal wait for your decision again'
  }
}
