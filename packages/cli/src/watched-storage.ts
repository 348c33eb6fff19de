/** Storage that tells how many files are read or written, so that every command shows its progress without speaking of it. */
import type { StorageBackend } from '@hermes/core'
import type { Progress } from './terminal/progress.ts'

/** Fewer files take no time. */
const LEAST = 50

const SKILL_FILE = '/SKILL.md'

export const watchedStorage = (storage: StorageBackend, { countQuietly }: Pick<Progress, 'countQuietly'>): StorageBackend => {
  let skills = 0
  let files = 0
  let read = 0
  let written = 0
  /** First the skills of the last listing, then, if more is read, all its files. */
  const tellRead = (count: number): void => {
    read += count
    if (files < LEAST) return
    if (read <= skills) countQuietly(read, skills, 'skills read')
    else countQuietly(read, read <= files ? files : undefined, 'files read')
  }
  const tellWritten = (): void => {
    written += 1
    if (written >= LEAST) countQuietly(written, undefined, 'changes written')
  }
  return {
    close: () => storage.close(),
    list: async (prefix) => {
      const listed = await storage.list(prefix)
      if (listed.ok && listed.value.length >= LEAST) {
        files = listed.value.length
        skills = listed.value.filter(({ path }) => path.endsWith(SKILL_FILE)).length
        read = 0
        written = 0
      }
      return listed
    },
    read: (paths) => {
      tellRead(paths.length)
      return storage.read(paths)
    },
    update: (paths, plan, options) => {
      tellWritten()
      return storage.update(paths, plan, options)
    },
  }
}
