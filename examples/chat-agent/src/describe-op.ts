/** One operation in words: `replace user: Oslo → Bergen`, `create skill split-bills: Split a bill …`. */
import type { MemoryOp, SkillOp } from '@hermes/core'
import { oneLine } from './terminal/text.ts'

/** A skill's text is as long as it likes; the journal wants a line. */
const MAX_SKILL_TEXT = 160

/** What a patch really changes, line by line: without the lines that it only names to find its place. */
const changedLines = ({ oldText, newText }: Extract<SkillOp, { readonly action: 'patch' }>) => {
  const [old, next] = [oldText.split('\n'), newText.split('\n')]
  const most = Math.min(old.length, next.length)
  let same = 0
  while (same < most && old[same] === next[same]) same++
  let sameAtEnd = 0
  while (sameAtEnd < most - same && old.at(-1 - sameAtEnd) === next.at(-1 - sameAtEnd)) sameAtEnd++
  return { gone: old.slice(same, old.length - sameAtEnd), come: next.slice(same, next.length - sameAtEnd) }
}

const describePatch = (op: Extract<SkillOp, { readonly action: 'patch' }>): string => {
  const { gone, come } = changedLines(op)
  if (gone.length === 0) return `add ${come.join(' ')}`
  return come.length === 0 ? `take out ${gone.join(' ')}` : `${gone.join(' ')} → ${come.join(' ')}`
}

/** What a skill is for, by its front matter. */
const purposeOf = (content: string): string => {
  const [, found] = /^description:\s*(.+)$/m.exec(content) ?? []
  return found === undefined ? '' : `: ${oneLine(found.replace(/^(["'])(.*)\1$/, '$2'), MAX_SKILL_TEXT)}`
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
    case 'remove_file':
      return `${op.action === 'write_file' ? 'write' : 'remove'} ${skill}, ${op.filePath}`
    case 'archive':
      return `archive ${skill}${op.absorbedInto === undefined ? '' : `, now part of ${op.absorbedInto}`}`
  }
}

const isMemoryOp = (op: MemoryOp | SkillOp): op is MemoryOp => op.action === 'add' || op.action === 'replace' || op.action === 'remove'

/** On one line. */
export const describeOp = (target: string, op: MemoryOp | SkillOp): string => {
  if (!isMemoryOp(op)) return oneLine(describeSkillOp(op))
  const texts = [...(op.action === 'add' ? [] : [op.oldText]), ...(op.action === 'remove' ? [] : [op.content])]
  return oneLine(`${op.action} ${target}: ${texts.join(' → ')}`)
}

/** The lines that a skill's operation would put into a file, for a person who is to approve it; a patch as what goes (`−`) and what comes (`+`). */
export const proposedLines = (op: MemoryOp | SkillOp): readonly string[] => {
  if (isMemoryOp(op)) return []
  if (op.action === 'create' || op.action === 'edit' || op.action === 'write_file') return op.content.trimEnd().split('\n')
  if (op.action !== 'patch') return []
  const { gone, come } = changedLines(op)
  return [...gone.map((line) => `− ${line}`), ...come.map((line) => `+ ${line}`)]
}
