/** Entries of a memory: their facts, their limits, and the scan of their text. */

export type { MemoryEntryOptions, MemoryStory, MemoryWriteOptions } from '../home-memory.ts'
export type { PinnedEntry } from '../memory/change-facts.ts'
export { describeTime } from '../memory/entry-time.ts'
export type { MemorySource } from '../memory/facts.ts'
export type { ArchivedEntry } from '../memory/memory-archive.ts'
export { ENTRY_DELIMITER, formatUsage } from '../memory/memory-document.ts'
export { DEFAULT_MEMORY_CHAR_LIMIT, DEFAULT_USER_CHAR_LIMIT } from '../memory/memory-limits.ts'
export type { EntryDates, EntryFacts, EntryOrigin, EntryTime, EvictedEntry } from '../memory/memory-op.ts'
export { type KnownOrigin, type OriginRepair, type RepairedOrigins, repairOrigins } from '../memory/repair-origins.ts'
export type { SharedNote, SharedNotes } from '../memory/shared-notes.ts'
export { projectFault } from '../storage/project.ts'
export { scanThreats } from '../threats/scan.ts'
