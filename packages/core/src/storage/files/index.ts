/** `@hermes/core/file-system`: the only part of core that needs Node. */
export { fileSystemBackend } from './file-system-backend.ts'
export type { FileSystemBackendOptions } from './file-system-options.ts'
export { kindOfLock, type LockKind } from './home-lock.ts'
export { type SkillsFolderOptions, skillsFolder } from './skills-folder.ts'
