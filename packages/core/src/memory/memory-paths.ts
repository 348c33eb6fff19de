/** The documents of each store: those of a person lie in the home, those of a project in its own folder there. */
import { projectFolder } from '../storage/project.ts'
import { BLOCK_VIEW_PATH, FACTS_PATH, MEMORY_ARCHIVE_PATH, MEMORY_FOLDER, MEMORY_PATHS } from '../storage/storage-paths.ts'
import type { MemoryTarget } from './memory-op.ts'

export interface MemoryPaths {
  readonly folder: string
  readonly file: string
  readonly facts: string
  readonly archive: string
}

/** Throws a TypeError for the store of a project if there is none, which a caller has to check. */
export const memoryPathsOf = (target: MemoryTarget, project: string | undefined): MemoryPaths => {
  if (target !== 'project') return { folder: MEMORY_FOLDER, file: MEMORY_PATHS[target], facts: FACTS_PATH, archive: MEMORY_ARCHIVE_PATH }
  if (project === undefined) throw new TypeError('There is no project, so it has no documents.')
  const inside = `${projectFolder(project)}/`
  return {
    folder: `${inside}${MEMORY_FOLDER}`,
    file: `${inside}${MEMORY_PATHS.memory}`,
    facts: `${inside}${FACTS_PATH}`,
    archive: `${inside}${MEMORY_ARCHIVE_PATH}`,
  }
}

/** See `BLOCK_VIEW_PATH`. A project has a text of its own. */
export const blockViewPath = (project: string | undefined): string =>
  project === undefined ? BLOCK_VIEW_PATH : `${projectFolder(project)}/${BLOCK_VIEW_PATH}`
