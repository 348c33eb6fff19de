/** Identifies a home within this process, independently of its handles. */
import type { OwnerId } from './owner.ts'

export interface HomeIdentity {
  /** The host's own storage object. */
  readonly storage: object
  /** Set if the storage has many owners. */
  readonly owner?: OwnerId | undefined
}

export const isSameHome = (a: HomeIdentity, b: HomeIdentity): boolean => {
  if (a.storage !== b.storage) return false
  if (a.owner === undefined || b.owner === undefined) return a.owner === b.owner
  return a.owner.user === b.owner.user && a.owner.tenant === b.owner.tenant
}
