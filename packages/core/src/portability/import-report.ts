/** What an import did: every item of the archive is counted, and every refused item is named. */
import type { HermesError, HermesErrorCode } from '../shared/hermes-error.ts'
import { EXPORT_PARTS, type ExportPart } from './export-scope.ts'

export interface ImportOptions {
  /** Reports what would be imported and writes nothing. Default false. */
  readonly dryRun?: boolean
  /**
   * Whether the origins in the archive are believed. Pass `false` for an archive from somebody else: the gate is then asked about each item as about text from
   * outside, so it is written, held or refused as at the trust level of this home. What is written has the origin `tool`, no skill counts as created by the
   * agent, and the journal is not imported. Default true.
   */
  readonly trusted?: boolean
}

export interface ImportCount {
  readonly added: number
  /** Existed before and was left unchanged. */
  readonly alreadyThere: number
  /** Waits for a person's approval. */
  readonly held: number
  readonly refused: number
}

/** An item that was not imported, or a text that was withheld from an imported journal record. */
export interface RefusedImport {
  readonly part: ExportPart
  /** Its place in the archive, never its text. */
  readonly name: string
  /** `blocked`: it contains a threat or a credential. `occupied`: the name is taken. `rejected`: by the gate. Other codes as in the stores. */
  readonly code: HermesErrorCode
  readonly reason: string
}

/** An item of an untrusted archive that waits for a person's approval. */
export interface HeldImport extends Pick<RefusedImport, 'part' | 'name' | 'reason'> {
  /** The id to approve or reject it by. */
  readonly pendingId: string
}

export interface ImportReport {
  readonly dryRun: boolean
  /** Whether anything was added or held, or with `dryRun` would be. */
  readonly changed: boolean
  readonly counts: Readonly<Record<ExportPart, ImportCount>>
  /** Entries that did not fit into their store and were added to the memory archive; `counts.memory.added` includes them. */
  readonly archivedInstead: number
  /** At most 1,000 of each part; `counts` includes all. */
  readonly held: readonly HeldImport[]
  /** At most 1,000 of each part; `counts` includes all. */
  readonly refused: readonly RefusedImport[]
}

const MOST_NAMED = 1_000

export interface ImportTally {
  readonly added: (part: ExportPart, count?: number) => void
  readonly alreadyThere: (part: ExportPart, count?: number) => void
  readonly archivedInstead: () => void
  readonly held: (item: HeldImport) => void
  readonly refused: (part: ExportPart, name: string, error: Pick<HermesError, 'code' | 'message'>) => void
  readonly report: () => ImportReport
}

export const createTally = (dryRun: boolean): ImportTally => {
  const counts = Object.fromEntries(EXPORT_PARTS.map((part) => [part, { added: 0, alreadyThere: 0, held: 0, refused: 0 }])) as Record<
    ExportPart,
    { -readonly [count in keyof ImportCount]: number }
  >
  const held: HeldImport[] = []
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
    held: (item) => {
      counts[item.part].held += 1
      if (counts[item.part].held <= MOST_NAMED) held.push(item)
    },
    refused: (part, name, { code, message }) => {
      counts[part].refused += 1
      if (counts[part].refused <= MOST_NAMED) refused.push({ part, name, code, reason: message })
    },
    report: () => ({
      dryRun,
      changed: EXPORT_PARTS.some((part) => counts[part].added + counts[part].held > 0),
      counts: structuredClone(counts),
      archivedInstead: archived,
      held: [...held],
      refused: [...refused],
    }),
  }
}
