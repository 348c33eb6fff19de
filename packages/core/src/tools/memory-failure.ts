/** Failures of a memory call in words for the model, where they differ from the common ones. */
import type { MemoryTarget } from '../memory/memory-op.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import type { Failure, FailureSubject, Refusal } from './describe-failure.ts'

const unreadable = (path: string, { details = {} }: Refusal): Failure =>
  details['systemCode'] === undefined
    ? {
        fact: `Nothing was saved: ${path} is damaged or not valid UTF-8, so it was left as it is.`,
        tellUser: 'to repair that file or move it away',
      }
    : { fact: `Nothing was saved: this program may not read ${path}.`, tellUser: 'to check who owns that file and its permissions' }

export const memoryFailures = (target: MemoryTarget): FailureSubject => ({
  nothing: 'Nothing was saved',
  place: 'memory',
  off: 'this part of memory is',
  again: 'call again',
  path: MEMORY_PATHS[target],
  own: {
    unreadable,
    drift: (path) => ({
      fact: `Nothing was saved: ${path} holds an entry longer than its whole limit, written by another program or by hand, and a change could lose it.`,
      tellUser: 'to split or shorten that entry by hand',
    }),
    invalid_path: (path) => ({
      fact: `Nothing was saved: ${path} leads to a place where memory may not be kept.`,
      tellUser: 'to check the symbolic links there',
    }),
  },
})
