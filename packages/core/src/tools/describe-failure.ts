/** What the model is told of a memory call that nothing it could send differently would mend: the fact, and one advice. */
import type { MemoryTarget } from '../memory/memory-op.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import type { MemoryWriteReply } from './memory-tool-effects.ts'

type Refusal = Extract<MemoryWriteReply, { kind: 'refused' }>

interface Failure {
  readonly fact: string
  /** What only a person can do about it. */
  readonly tellUser?: string
}

const unreadable = (file: string, { details = {} }: Refusal): Failure =>
  details['systemCode'] === undefined
    ? {
        fact: `Nothing was saved: ${file} is damaged or not valid UTF-8, so it was left as it is.`,
        tellUser: 'to repair that file or move it away',
      }
    : { fact: `Nothing was saved: this program may not read ${file}.`, tellUser: 'to check who owns that file and its permissions' }

// The errors' own words advise the person or the programmer who can mend them ("free some space and try again"): a model would obey them.
const failures: Readonly<Record<string, (file: string, refusal: Refusal) => Failure>> = {
  rejected: (_, { message }) => ({ fact: /[.!?]$/.test(message) ? message : `${message}.` }),
  capped: () => ({ fact: 'Too many memory changes of this turn failed, so memory stays as it is until the next turn.' }),
  disabled: () => ({ fact: 'Nothing was saved: this part of memory is switched off.' }),
  gate: () => ({ fact: 'Nothing was saved: the check that every change must pass has failed itself.' }),
  drift: (file) => ({
    fact: `Nothing was saved: ${file} holds an entry longer than its whole limit, written by another program or by hand, and a change could lose it.`,
    tellUser: 'to split or shorten that entry by hand',
  }),
  unreadable,
  unwritable: (file) => ({
    fact: `Nothing was saved: this program may not write ${file}.`,
    tellUser: 'to check who owns that file and its permissions',
  }),
  no_space: () => ({ fact: 'Nothing was saved: the disk that holds memory is full.', tellUser: 'to free some space' }),
  locked: () => ({ fact: 'Nothing was saved: another program held memory the whole time.', tellUser: 'to close that program' }),
  invalid_path: (file) => ({
    fact: `Nothing was saved: ${file} leads to a place where memory may not be kept.`,
    tellUser: 'to check the symbolic links there',
  }),
  closed: () => ({ fact: 'Nothing was saved: memory was closed.' }),
  timeout: () => ({ fact: 'Memory did not answer in time, so it is not known whether this was saved.' }),
  io: () => ({ fact: 'Memory could not be reached, so nothing is known to be saved.' }),
}

/** `undefined` for a refusal that another call can mend; its own words say how. */
export const describeFailure = (target: MemoryTarget, refusal: Refusal): string | undefined => {
  const describe = Object.hasOwn(failures, refusal.code) ? failures[refusal.code] : undefined
  if (!describe) return undefined
  const path = refusal.details?.['path']
  const { fact, tellUser } = describe(typeof path === 'string' ? path : MEMORY_PATHS[target], refusal)
  return `${fact} Do not call again in this turn; go on with the task${tellUser === undefined ? '' : ` and tell the user ${tellUser}`}.`
}
