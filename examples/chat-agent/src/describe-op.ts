/** One operation in words: `replace user: Oslo → Bergen`, `create skill split-bills: Split a bill …`. */
import type { MemoryOp } from '@hermes/core'
import type { SkillOp } from '@hermes/core/skills'
import { changedLines, oneLine } from '@hermes/example-chat-parts/text'

/** A skill's text is as long as it likes; the journal wants a line. */
const MAX_SKILL_TEXT = 160

type Patch = Extract<SkillOp, { readonly action: 'patch' }>

const describePatch = ({ oldText, newText }: Patch): string => {
  const { gone, come } = changedLines(oldText, newText)
  if (gone.length === 0) return `add ${come.join(' ')}`
  return come.length === 0 ? `take out ${gone.join(' ')}` : `${gone.join(' ')} → ${come.join(' ')}`
}

/** What a skill is for, by its front matter. */
const purposeOf = (content: string): string => {
  const [, found] = /^description:\s*(.+)$/m.exec(content) ?? []
  return found === undefined ? '' : `: ${oneLine(found.replace(/^(["'])(.*)\1$/, '$2'), MAX_SKILL_TEXT)}`
}

/** On one line. */
export const describeOp = (target: string, op: MemoryOp | SkillOp): string => {
  switch (op.action) {
    case 'add':
      return oneLine(`add ${target}: ${op.content}`)
    case 'replace':
      return oneLine(`replace ${target}: ${op.oldText} → ${op.content}`)
    case 'remove':
      return oneLine(`remove ${target}: ${op.oldText}`)
    case 'create':
    case 'edit':
      return oneLine(`${op.action} skill ${op.name}${purposeOf(op.content)}`)
    case 'patch':
      return oneLine(`patch skill ${op.name}${op.filePath ? `, ${op.filePath}` : ''}: ${oneLine(describePatch(op), MAX_SKILL_TEXT)}`)
    case 'write_file':
    case 'remove_file':
      return oneLine(`${op.action === 'write_file' ? 'write' : 'remove'} skill ${op.name}, ${op.filePath}`)
    case 'archive':
      return oneLine(`archive skill ${op.name}${op.absorbedInto ? `, now part of ${op.absorbedInto}` : ''}`)
  }
}

/** The lines that a skill's operation would put into a file, for a person who is to approve it; a patch as what goes (`−`) and what comes (`+`). */
export const proposedLines = (op: MemoryOp | SkillOp): readonly string[] => {
  if (op.action === 'create' || op.action === 'edit' || op.action === 'write_file') return op.content.trimEnd().split('\n')
  if (op.action !== 'patch') return []
  const { gone, come } = changedLines(op.oldText, op.newText)
  return [...gone.map((line) => `− ${line}`), ...come.map((line) => `+ ${line}`)]
}
