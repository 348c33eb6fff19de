/** For those who write a storage back end, or read and change documents themselves. */
export { applyPlan, type Documents } from '../storage/apply-plan.ts'
export { type CheckedPlan, checkPlan, type Put } from '../storage/checked-plan.ts'
export {
  byCodeUnit,
  checkFolder,
  closedError,
  isBelow,
  notADocument,
  nothingAt,
  occupiedAt,
} from '../storage/document-tree.ts'
export { makeCut, type ReadDocuments } from '../storage/make-cut.ts'
export { checkPaths, type NamedPaths } from '../storage/named-paths.ts'
export { type DocumentChange, moveDocuments, readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
export { type PackedBackendOptions, type PackedStore, packedBackend } from '../storage/packed-backend.ts'
export { runPlan } from '../storage/run-plan.ts'
export type {
  Cut,
  DocumentContent,
  DocumentInfo,
  Paths,
  Plan,
  StoredDocument,
  UnreadableEntry,
  UpdateOptions,
} from '../storage/storage-backend.ts'
export { checkStoragePath } from '../storage/storage-paths.ts'
