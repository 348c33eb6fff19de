/** What export, import, erasure and upkeep answer. */
export type { ForgetTarget } from '../erasure/find-texts.ts'
export type { ErasedCounts, ForgetReceipt } from '../erasure/forget-receipt.ts'
export type { OwnerId } from '../homes/owner.ts'
export type { ErasureReceipt } from '../homes/owners.ts'
export type { ExportManifest, ExportPart } from '../portability/export-manifest.ts'
export type { HeldImport, ImportCount, ImportReport, RefusedImport } from '../portability/import-report.ts'
export { readExportManifest } from '../portability/open-export.ts'
export type { UpkeepReport } from '../run-upkeep.ts'
