/** What an import did, thing by thing: nothing that an archive holds is passed over without being counted or named. */
import type { HermesError, HermesErrorCode } from '../shared/hermes-error.ts'
import { EXPORT_PARTS, type ExportPart } from './export-scope.ts'

export interface ImportOptions {
  /** Tells what would be done, and writes nothing. Default false. */
  readonly dryRun?: boolean
  /**
   * Whether the archive may say whose words an entry is. `false`, for an archive of somebody else: all its entries and held proposals count as text from outside,
   * none of its skills as the agent's, and its journal is left out. Default true: it is a home of the same person.
   */
  readonly trusted?: boolean
}

export interface ImportCount {
  readonly added: number
  /** Was there before, and was left as it is. */
  readonly alreadyThere: number
  readonly refused: number
}

/** One thing that was not imported, or, of a journal record, a text in it. */
export interface RefusedImport {
  readonly part: ExportPart
  /** Where it stands in the archive; never its text. */
  readonly name: string
  /** `blocked`: a threat or a credential. `occupied`: something else is there by that name. Others as in the stores. */
  readonly code: HermesErrorCode
  readonly reason: string
}

export interface ImportReport {
  readonly dryRun: boolean
  /** Whether anything was added (with `dryRun`: would be). False: all that can be imported is there already. */
  readonly changed: boolean
  readonly counts: Readonly<Record<ExportPart, ImportCount>>
  /** Entries that did not fit into their store and are in the memory archive now; they count as added to `memory`. */
  readonly archivedInstead: number
  /** At most 1,000 of each part; `counts` has them all. */
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
