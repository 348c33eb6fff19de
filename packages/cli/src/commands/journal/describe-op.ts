/** Describes an operation: in one line for lists, and in full for a decision. */
import type { JournalRecord } from '@hermes/core'
import type { JournalUpkeep } from '@hermes/core/journal'

export type Operation = NonNullable<JournalRecord['op']>

/** Where an operation writes, such as a record of the journal or a proposal. */
type Place = Pick<JournalRecord, 'target' | 'project'>

const STORES = {
  memory: 'MEMORY.md',
  user: 'USER.md',
  project: 'MEMORY.md of the project',
  profile: 'PROFILE.json',
  skill: 'the skill',
} as const

/** `MEMORY.md of the project webshop`. */
export const storeName = ({ target = 'memory', project }: Place): string =>
  target === 'project' && project !== undefined ? `${STORES.project} ${project}` : STORES[target]

/** `add to MEMORY.md`, `patch the skill deploy, references/api.md`. */
export const describeAction = (op: Operation, place: Place): string => {
  const store = storeName(place)
  switch (op.action) {
    case 'add':
      return `add to ${store}`
    case 'replace':
      return `replace in ${store}`
    case 'remove':
      return `remove from ${store}`
    case 'create':
      return `create the skill ${op.name}`
    case 'edit':
      return `rewrite the skill ${op.name}`
    case 'patch':
      return `change the skill ${op.name}${op.filePath === undefined ? '' : `, ${op.filePath}`}`
    case 'write_file':
      return `write ${op.filePath} of the skill ${op.name}`
    case 'remove_file':
      return `remove ${op.filePath} of the skill ${op.name}`
    default:
      return `archive the skill ${op.name}${op.absorbedInto === undefined ? '' : `, absorbed into ${op.absorbedInto}`}`
  }
}

const UPKEEP: Readonly<Record<JournalUpkeep['action'], string>> = {
  restore: 'restore the skill',
  pin: 'pin the skill',
  unpin: 'unpin the skill',
  manage: 'hand over to the curator:',
  unmanage: 'take back from the curator:',
  pause: 'pause the curator',
  resume: 'resume the curator',
  backup: 'back up all skills:',
  rollback: 'roll all skills back to',
  prune: 'delete the archived skill',
  erase: 'erase something permanently',
}

/** `pin the skill deploy`, `pin in MEMORY.md: Lives in Oslo`, `pause the curator`; `''` if the record has no `upkeep`. */
export const describeUpkeep = ({ upkeep, ...place }: Pick<JournalRecord, 'upkeep' | keyof Place>): string => {
  if (!upkeep) return ''
  const { action, subject } = upkeep
  const isOfMemory = place.target !== undefined && place.target !== 'skill'
  if (isOfMemory) return `${action} in ${storeName(place)}${subject === undefined ? '' : `: ${subject}`}`
  return subject === undefined ? UPKEEP[action] : `${UPKEEP[action]} ${subject}`
}

const marked = (mark: string, text: string): string => text.replace(/^/gm, `${mark} `)

/** Removed lines start with `-`, added ones with `+`; `''` if the operation has no text. */
export const operationText = (op: Operation): string => {
  switch (op.action) {
    case 'replace':
      return `${marked('-', op.oldText)}\n${marked('+', op.content)}`
    case 'remove':
      return marked('-', op.oldText)
    case 'patch':
      return `${marked('-', op.oldText)}\n${marked('+', op.newText)}`
    case 'remove_file':
    case 'archive':
      return ''
    default:
      return op.content
  }
}

/** One line for lists: the action, then as much of the text as fits. */
export const summariseOp = (op: Operation, place: Place): string => {
  const text = op.action === 'add' ? op.content : op.action === 'replace' ? op.content : op.action === 'remove' ? op.oldText : ''
  const action = describeAction(op, place)
  return text === '' ? action : `${action}: ${text}`
}
