/** For those who write a storage back end. */
export { checkChangeResult } from '../storage/check-change-result.ts'
export {
  byCodeUnit,
  checkFolder,
  checkMove,
  closedError,
  isBelow,
  notADocument,
  nothingAt,
  occupiedAt,
} from '../storage/document-tree.ts'
// The port of storage/next. Names that collide with those above are aliases until it replaces the port of storage/.
export { type CheckedPlan, checkPlan, type Put } from '../storage/next/checked-plan.ts'
export { makeCut, type ReadDocuments } from '../storage/next/make-cut.ts'
export { checkPaths, type NamedPaths, namesDocument, namesFolder } from '../storage/next/named-paths.ts'
export type {
  Cut,
  Paths,
  Plan,
  StorageBackend as NextStorageBackend,
  StoredDocument as NextStoredDocument,
  UpdateOptions as NextUpdateOptions,
} from '../storage/next/storage-backend.ts'
export { type PackedBackendOptions, packedBackend } from '../storage/packed-backend.ts'
export type { PackedStore } from '../storage/packed-store.ts'
export {
  type DocumentChange,
  type DocumentContent,
  type DocumentInfo,
  type StoredDocument,
  UNCHANGED,
  type UpdateOptions,
} from '../storage/storage-backend.ts'
export { checkStoragePath } from '../storage/storage-paths.ts'
