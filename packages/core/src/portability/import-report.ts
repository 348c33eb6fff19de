/** What an import did: every item of the archive is counted, and every refused item is named. */
import type { HermesError, HermesErrorCode } from '../shared/hermes-error.ts'
import { EXPORT_PARTS, type ExportPart } from './export-scope.ts'

export interface ImportOptions {
  /** Reports what would be imported and writes nothing. Default false. */
  readonly dryRun?: boolean
  /**
   * Whether the origins in the archive are believed. Pass `false` for an archive from somebody else: all entries and held proposals then have the origin `tool`,
   * no skill counts as created by the agent, and the journal is not imported. Default true.
   */
  readonly trusted?: boolean
}

export interface ImportCount {
  readonly added: number
  /** Existed before and was left unchanged. */
  readonly alreadyThere: number
  readonly refused: number
}

/** An item that was not imported, or a text that was withheld from an imported journal record. */
export interface RefusedImport {
  readonly part: ExportPart
  /** Its place in the archive, never its text. */
  readonly name: string
  /** `blocked`: it contains a threat or a credential. `occupied`: the name is taken. Other codes as in the stores. */
  readonly code: HermesErrorCode
  readonly reason: string
}

export interface ImportReport {
  readonly dryRun: boolean
  /** Whether anything was added, or with `dryRun` would be. */
  readonly changed: boolean
  readonly counts: Readonly<Record<ExportPart, ImportCount>>
  /** Entries that did not fit into their store and were added to the memory archive; `counts.memory.added` includes them. */
  readonly archivedInstead: number
  /** At most 1,000 of each part; `counts` includes all. */
  readonly refused: readonly RefusedImport[]
}

const MOST_NAMED = 1_000

export interface ImportTally {
  readonly added: (part: ExportPart, count?: number) => void
  readonly alreadyThere: (part: ExportPart, count?: number) => void
  readonly archivedInstead: () => void
  readonly refused: (part: ExportPart, name: string, error: Pick<HermesError, 'code' | 'message'>) => void
  readonly report: () => ImportReport
}

export const createTally = (dryRun: boolean): ImportTally => {
  const counts = Object.fromEntries(EXPORT_PARTS.map((part) => [part, { added: 0, alreadyThere: 0, refused: 0 }])) as Record<
    ExportPart,
    { added: number; alreadyThere: number; refused: number }
  >
  const refused: RefusedImport[] = []
  let archived = 0
  return {
    added: (part, count = 1) => {
      counts[part].added += count
    },
    alreadyThere: (part, count = 1) => {
      counts[part].alreadyThere += count
    },
    archivedInstead: () => {
      archived += 1
    },
    refused: (part, name, { code, message }) => {
      counts[part].refused += 1
      if (counts[part].refused <= MOST_NAMED) refused.push({ part, name, code, reason: message })
    },
    report: () => ({
      dryRun,
      changed: EXPORT_PARTS.some((part) => counts[part].added > 0),
      counts: structuredClone(counts),
      archivedInstead: archived,
      refused: [...refused],
    }),
  }
}
