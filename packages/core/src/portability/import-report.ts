/** What an import did: every item of the archive is counted, and every refused item is named. */
import type { HermesError, HermesErrorCode } from '../shared/hermes-error.ts'
import { EXPORT_PARTS, type ExportPart } from './export-manifest.ts'

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

type Counts = Record<ExportPart, { -readonly [count in keyof ImportCount]: number }>

export class ImportTally {
  readonly #counts = Object.fromEntries(EXPORT_PARTS.map((part) => [part, { added: 0, alreadyThere: 0, held: 0, refused: 0 }])) as Counts
  readonly #held: HeldImport[] = []
  readonly #refused: RefusedImport[] = []
  #archivedInstead = 0

  added(part: ExportPart, count = 1): void {
    this.#counts[part].added += count
  }

  alreadyThere(part: ExportPart): void {
    this.#counts[part].alreadyThere += 1
  }

  archivedInstead(): void {
    this.#archivedInstead += 1
  }

  held(item: HeldImport): void {
    this.#counts[item.part].held += 1
    if (this.#counts[item.part].held <= MOST_NAMED) this.#held.push(item)
  }

  refused(part: ExportPart, name: string, { code, message }: Pick<HermesError, 'code' | 'message'>): void {
    this.#counts[part].refused += 1
    if (this.#counts[part].refused <= MOST_NAMED) this.#refused.push({ part, name, code, reason: message })
  }

  report(dryRun: boolean): ImportReport {
    return {
      dryRun,
      changed: EXPORT_PARTS.some((part) => this.#counts[part].added + this.#counts[part].held > 0),
      counts: this.#counts,
      archivedInstead: this.#archivedInstead,
      held: this.#held,
      refused: this.#refused,
    }
  }
}
