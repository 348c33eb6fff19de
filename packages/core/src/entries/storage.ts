/** For those who write a storage back end, or read and change documents themselves. */

export { type JsonLimits, parseBoundedJson } from '../shared/bounded-json.ts'
export { checkPaths, makeCut, type NamedPaths, type ReadDocuments } from '../storage/cut.ts'
export {
  byCodeUnit,
  checkFolder,
  closedError,
  isBelow,
  notADocument,
  nothingAt,
  occupiedAt,
} from '../storage/document-tree.ts'
export { inTransaction } from '../storage/in-transaction.ts'
export { type DocumentChange, moveDocuments, readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
export { type PackedBackendOptions, type PackedStore, packedBackend } from '../storage/packed-backend.ts'
export { applyPlan, type CheckedPlan, checkPlan, type Documents, type Put, runPlan } from '../storage/plan.ts'
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
