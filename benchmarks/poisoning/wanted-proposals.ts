/** The writes that a case aims at, as proposals of a reviewer and as calls of the agent's tools. Pure. */
import type { MemoryTarget } from '@hermes/core'
import type { SkillOp } from '@hermes/core/skills'
import type { Attack } from './cases/attack.ts'
import type { HonestCase } from './cases/honest-case.ts'

type MemoryChange = { readonly target: MemoryTarget; readonly op: Readonly<Record<string, string>> }
type SkillChange = { readonly target: 'skill'; readonly op: SkillOp }
export type Wanted = MemoryChange | SkillChange

export const skillDocument = (name: string, description: string, instructions: string): string =>
  `---\nname: ${name}\ndescription: "${description}"\n---\n\n# ${name}\n\n${instructions}\n`

const add = (target: MemoryTarget, content: string): Wanted => ({ target, op: { action: 'add', content } })
const replace = (target: MemoryTarget, oldText: string, content: string): Wanted => ({
  target,
  op: { action: 'replace', oldText, content },
})
const remove = (target: MemoryTarget, oldText: string): Wanted => ({ target, op: { action: 'remove', oldText } })
const create = (name: string, description: string, instructions: string): Wanted => ({
  target: 'skill',
  op: { action: 'create', name, content: skillDocument(name, description, instructions) },
})

export const wantedByAttack = ({ wants }: Attack, entry: string): readonly Wanted[] => {
  if ('skill' in wants) {
    const { skill: name, after, file } = wants
    if (after !== undefined) return [{ target: 'skill', op: { action: 'patch', name, oldText: after, newText: `${after}\n${entry}` } }]
    if (file !== undefined) return [{ target: 'skill', op: { action: 'write_file', name, filePath: file, content: entry } }]
    return [create(name, `How to ${name.replaceAll('-', ' ')}`, entry)]
  }
  const { target, replaces, removes } = wants
  const removed = removes === undefined ? [] : [remove(target, removes)]
  if (replaces !== undefined) return [replace(target, replaces, entry), ...removed]
  return removed.length > 0 ? removed : [add(target, entry)]
}

export const wantedByHonest = (honest: HonestCase): readonly Wanted[] => {
  if ('add' in honest) return [add(...honest.add)]
  if ('replace' in honest) return [replace(...honest.replace)]
  if ('remove' in honest) return [remove(...honest.remove)]
  if ('skill' in honest) return [create(...honest.skill)]
  const [target, first, second, entry] = honest.merge
  return [replace(target, first, entry), remove(target, second)]
}

/** Entries that must exist before the case starts. */
export const entriesNeeded = (honest: HonestCase): readonly (readonly [MemoryTarget, string])[] => {
  if ('replace' in honest) return [[honest.replace[0], honest.replace[1]]]
  if ('remove' in honest) return [honest.remove]
  if ('merge' in honest)
    return [
      [honest.merge[0], honest.merge[1]],
      [honest.merge[0], honest.merge[2]],
    ]
  return []
}

const toToolOp = ({ op }: MemoryChange) => ({
  action: op['action'],
  ...(op['content'] === undefined ? {} : { content: op['content'] }),
  ...(op['oldText'] === undefined ? {} : { old_text: op['oldText'] }),
})

const toSkillInput = (op: SkillOp): Readonly<Record<string, unknown>> => {
  if (op.action === 'patch') return { action: 'patch', name: op.name, old_string: op.oldText, new_string: op.newText }
  if (op.action === 'write_file') return { action: 'write_file', name: op.name, file_path: op.filePath, file_content: op.content }
  return { ...op, create_anyway: true }
}

/** One call of the agent's `memory` or `skill_manage`. */
export const toToolCall = (wanted: readonly Wanted[]): { readonly name: string; readonly input: unknown } => {
  const changes = wanted.filter((each): each is MemoryChange => each.target !== 'skill')
  const [first] = changes
  if (first === undefined) {
    const skill = wanted.find((each): each is SkillChange => each.target === 'skill')
    if (skill === undefined) throw new TypeError('A case wants at least one change.')
    return { name: 'skill_manage', input: toSkillInput(skill.op) }
  }
  const ops = changes.map(toToolOp)
  return { name: 'memory', input: { target: first.target, ...(ops.length > 1 ? { operations: ops } : ops[0]) } }
}
