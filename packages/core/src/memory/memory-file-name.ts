/** The short file name of a store, for headers, placeholders and messages. */
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import type { MemoryTarget } from './memory-op.ts'

/** `MEMORY.md` or `USER.md`. */
export const memoryFileName = (target: MemoryTarget): string => MEMORY_PATHS[target].slice(MEMORY_PATHS[target].lastIndexOf('/') + 1)
