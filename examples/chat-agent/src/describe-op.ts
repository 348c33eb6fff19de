/** One operation in words: `replace user: Oslo → Bergen`, `create skill split-bills: Split a bill …`. */
import type { MemoryOp } from '@hermes/core'
import type { SkillOp } from '@hermes/core/skills'
import { oneLine } from '../terminal/clean-text.ts'
import { changedLines } from './changed-lines.ts'

/** A skill's text is as long as it likes; the journal wants a line. */
const MAX_SKILL_TEXT = 160

const FRONT_MATTER_DESCRIPTION = /^description:\s*(.+)$/m

/** What a skill's SKILL.md says it is for. */
const purposeOf = (content: string): string => {
  const [, found] = FRONT_MATTER_DESCRIPTION.exec(content) ?? []
  return found === undefined ? '' : `: ${oneLine(found.replace(/^(["'])(.*)\1$/, '$2'), MAX_SKILL_TEXT)}`
}

/** Without the lines that a patch only names to find its place. */
const describePatch = ({ oldText, newText }: Extract<SkillOp, { readonly action: 'patch' }>): string => {
  const { gone, come } = changedLines(oldText, newText)
  if (gone.length === 0) return `add ${come.join(' ')}`
  return come.length === 0 ? `take out ${gone.join(' ')}` : `${gone.join(' ')} → ${come.join(' ')}`
}

const describeSkillOp = (op: SkillOp): string => {
  const skill = `skill ${op.name}`
  switch (op.action) {
    case 'create':
    case 'edit':
      return `${op.action} ${skill}${purposeOf(op.content)}`
    case 'patch':
      return `patch ${op.filePath === undefined ? skill : `${skill}, ${op.filePath}`}: ${oneLine(describePatch(op), MAX_SKILL_TEXT)}`
    case 'write_file':
      return `write ${skill}, ${op.filePath}`
    case 'remove_file':
      return `remove ${skill}, ${op.filePath}`
    case 'archive':
      return `archive ${skill}${op.absorbedInto === undefined ? '' : `, now part of ${op.absorbedInto}`}`
  }
}

const describeMemoryOp = (target: string, op: MemoryOp): string => {
  const before = op.action === 'add' ? [] : [op.oldText]
  const after = op.action === 'remove' ? [] : [op.content]
  return `${op.action} ${target}: ${[...before, ...after].join(' → ')}`
}

const isMemoryOp = (op: MemoryOp | SkillOp): op is MemoryOp => op.action === 'add' || op.action === 'replace' || op.action === 'remove'

/** On one line. */
export const describeOp = (target: string, op: MemoryOp | SkillOp): string =>
  oneLine(isMemoryOp(op) ? describeMemoryOp(target, op) : describeSkillOp(op))

/** The lines that a skill's operation would put into a file, for a person who is to approve it; a patch as what goes (`−`) and what comes (`+`). */
export const proposedLines = (op: MemoryOp | SkillOp): readonly string[] => {
  if (isMemoryOp(op)) return []
  if (op.action === 'create' || op.action === 'edit' || op.action === 'write_file') return op.content.trimEnd().split('\n')
  if (op.action !== 'patch') return []
  const { gone, come } = changedLines(op.oldText, op.newText)
  return [...gone.map((line) => `− ${line}`), ...come.map((line) => `+ ${line}`)]
}
