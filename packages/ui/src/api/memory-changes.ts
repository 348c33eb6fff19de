/** Which entry a memory operation is about, as the store would decide. Pure. */
import type { MemoryOp, MemoryTarget } from '@hermes/core'
import type { ChangeView } from './views.ts'

export interface FoundEntry {
  /** The entry that a replace or remove takes away; '' for an add. */
  readonly before: string
  readonly problem?: string
}

const find = (entries: readonly string[], text: string): FoundEntry => {
  const wanted = text.trim()
  if (entries.includes(wanted)) return { before: wanted }
  const matches = [...new Set(entries.filter((entry) => entry.includes(wanted)))]
  const [only] = matches
  if (only !== undefined && matches.length === 1) return { before: only }
  const problem =
    matches.length === 0 ? 'The entry that it changes is no longer there.' : `${matches.length} entries hold the text that it changes.`
  return { before: text, problem }
}

export const findEntry = (entries: readonly string[], op: MemoryOp): FoundEntry => {
  if (op.action !== 'add') return find(entries, op.oldText)
  return entries.includes(op.content.trim()) ? { before: '', problem: 'The same entry is already there.' } : { before: '' }
}

export const entriesAfter = (entries: readonly string[], op: MemoryOp, before: string): readonly string[] => {
  if (op.action === 'add') return [...entries, op.content]
  const at = entries.indexOf(before)
  return entries.flatMap((entry, index) => (index !== at ? [entry] : op.action === 'replace' ? [op.content] : []))
}

const FILES = { memory: 'MEMORY.md', user: 'USER.md', project: 'MEMORY.md of the project', profile: 'PROFILE.json' } as const

/** `MEMORY.md of the project webshop`. */
export const storeName = (target: MemoryTarget, project?: string): string =>
  target === 'project' && project !== undefined ? `${FILES.project} ${project}` : FILES[target]

const VERBS = { add: 'Add to', replace: 'Replace in', remove: 'Remove from' } as const

export const describeMemoryOp = (op: MemoryOp, store: string, before: string): ChangeView => ({
  title: `${VERBS[op.action]} ${store}`,
  before,
  after: op.action === 'remove' ? '' : op.content,
})
