/** What export, import and erasure answer. */
export type { ForgetTarget } from '../erasure/erase-target.ts'
export type { ErasedCounts, ForgetReceipt } from '../erasure/forget-receipt.ts'
export type { OwnerId } from '../homes/owner.ts'
export type { ExportManifest } from '../portability/export-manifest.ts'
export type { ExportPart } from '../portability/export-scope.ts'
export type { ImportCount, ImportReport, RefusedImport } from '../portability/import-report.ts'
export { readExportManifest } from '../portability/open-export.ts'
