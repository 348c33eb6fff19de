/** `@hermes/core/file-system`: the only part of core that needs Node. */
export { fileSystemBackend } from './file-backend.ts'
export type { FileSystemBackendOptions } from './file-system-options.ts'
export { hasFlock } from './flock.ts'
/** For commands that name folders after their process. */
export { currentProcess, isProcessRunning } from './process-identity.ts'
export { notesFolder, type SharedFolderOptions, skillsFolder } from './shared-folder.ts'
