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
export {
  type DocumentChange,
  type DocumentContent,
  type DocumentInfo,
  type StoredDocument,
  UNCHANGED,
  type UpdateOptions,
} from '../storage/storage-backend.ts'
export { checkStoragePath } from '../storage/storage-paths.ts'
