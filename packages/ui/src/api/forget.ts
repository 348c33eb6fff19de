/** Erases a text from all data of a home. It cannot be undone. */
import { type Hermes, ok, type Result } from '@hermes/core'
import type { ErasedCounts } from '@hermes/core/portability'
import type { ForgetView } from './views.ts'

const KINDS: Readonly<Record<keyof ErasedCounts, string>> = {
  memoryEntries: 'memory entries',
  archivedEntries: 'archived entries',
  memoryCopies: 'copies of memory files',
  journalRecords: 'journal records',
  heldProposals: 'held proposals',
  sessions: 'session records',
  archivedSkillFiles: 'files of archived skills',
  backups: 'backups of skills',
  otherDocuments: 'reports and other documents',
  providerItems: 'things in the memory provider',
}

const isKind = (key: string): key is keyof ErasedCounts => Object.hasOwn(KINDS, key)

/** `dryRun`: only counts what would be erased. */
export const forgetText = async (hermes: Hermes, text: string, dryRun: boolean): Promise<Result<ForgetView>> => {
  const receipt = await hermes.forget(text, { dryRun })
  if (!receipt.ok) return receipt
  const { erased, projects, remaining } = receipt.value
  return ok({
    erased: Object.keys(erased)
      .filter(isKind)
      .map((kind) => ({ what: KINDS[kind], count: erased[kind] }))
      .filter(({ count }) => count > 0),
    projects,
    remaining,
  })
}
