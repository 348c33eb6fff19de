/** One import into a home: the transaction that it works on, what is known of the home, what it has to tell, and the scans of its texts. */
import type { ReviewGate, Verdict } from '../gate/review-gate.ts'
import type { HostActor } from '../journal/host-recorder.ts'
import type { JournalRecordInput } from '../journal/journal.ts'
import type { MemoryStoreOptions, MemoryWrite, MemoryWriter } from '../memory/memory-store-options.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import type { Result } from '../shared/result.ts'
import type { DocumentContent, StorageBackend } from '../storage/storage-backend.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import type { ThreatScope } from '../threats/phrases.ts'
import { scanThreats } from '../threats/scan.ts'
import { toScanParts } from '../threats/scan-parts.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import type { ExportPart } from './export-manifest.ts'
import { ImportTally } from './import-report.ts'

/** The home that something is imported into. */
export interface ImportingHome {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly createId: () => string
  /** Decides about the items of an archive that is not trusted. */
  readonly gate: ReviewGate
  readonly actor: HostActor
  readonly options: Pick<MemoryStoreOptions, 'profile'> & {
    readonly memory: Omit<MemoryStoreOptions, 'storage' | 'clock' | 'onFailure' | 'onWrite'>
  }
  /** Tells of each memory write of an import. */
  readonly memory: { tell(write: MemoryWrite, writer: MemoryWriter): void }
  readonly failed: (error: HermesError, operation: string) => void
}

/** What this home has in its journal. */
export interface KnownRecords {
  /** Ids of all records. */
  readonly ids: Set<string>
  /** Ids of held proposals that were approved or rejected. */
  readonly decided: ReadonlySet<string>
}

/** The reason given in the journal and the archive. */
export const IMPORTED = 'It was imported from an archive.'

export const invalidImport = (message: string): HermesError => new HermesError('invalid', message)

/** The value of a result. Throws its error, which refuses the item that is being imported. */
export const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

/** True if the storage as a whole has failed: nothing is imported. */
export const endsImport = ({ code }: HermesError): boolean => ['io', 'no_space', 'closed', 'locked', 'unwritable', 'timeout'].includes(code)

const UNITS_BETWEEN_PAUSES = 16_384

/** One import into a home, over a transaction. */
export class Import {
  readonly home: ImportingHome
  /** Reads the home as it is with what is imported already. */
  readonly over: StorageBackend
  /** Documents of the archive by path, sorted. */
  readonly contents: ReadonlyMap<string, DocumentContent>
  /** See `ImportOptions`. */
  readonly trusted: boolean
  readonly known: KnownRecords
  /** Documents of the proposals that wait in this home. */
  readonly waiting: ReadonlySet<string>
  readonly tally = new ImportTally()
  /** Documents of proposals to hold, by path. */
  readonly held: Record<string, Uint8Array> = {}
  /** What was written to memory, for those who listen. */
  readonly writes: MemoryWrite[] = []
  /** Lines for the journal. */
  readonly lines: JournalRecordInput[] = []
  /** Usage records of added skills, by name. One of that name in this home stays. */
  readonly usage = new Map<string, UsageRecord>()
  /** What the gate has said, by part, name and id of an item, kept for another attempt; undefined for an approval. */
  readonly verdicts: Map<string, Verdict | undefined>
  #sincePause = 0

  constructor(given: Pick<Import, 'home' | 'over' | 'contents' | 'trusted' | 'known' | 'waiting' | 'verdicts'>) {
    this.home = given.home
    this.over = given.over
    this.contents = given.contents
    this.trusted = given.trusted
    this.known = given.known
    this.waiting = given.waiting
    this.verdicts = given.verdicts
  }

  /** Refuses an item with the HermesError that its import throws, unless the storage or the gate has failed. `name`: its place in the archive. */
  async item(part: ExportPart, name: string, add: () => Promise<void> | void): Promise<void> {
    try {
      await add()
    } catch (cause) {
      if (!HermesError.isInstance(cause) || cause.code === 'gate' || endsImport(cause)) throw cause
      this.tally.refused(part, name, cause)
    }
  }

  // Texts of an archive are scanned as the stores do, in pieces, so that a long text does not block the event loop.

  /** Other work runs after so many units of text. */
  async takeTurn(units: number): Promise<void> {
    this.#sincePause += units
    if (this.#sincePause < UNITS_BETWEEN_PAUSES) return
    this.#sincePause = 0
    await pause()
  }

  /** A `blocked` error if the text contains a threat. The message has the findings, never the text. */
  async findThreat(text: string, scope: ThreatScope): Promise<HermesError | undefined> {
    for (const part of toScanParts(text)) {
      await this.takeTurn(part.length)
      const findings = scanThreats(part, scope)
      if (findings.length > 0) return new HermesError('blocked', `The threat scan blocked it (${findings.join(', ')}).`)
    }
    return undefined
  }

  /** Throws `blocked` if the text contains a threat. */
  async refuseThreat(text: string, scope: ThreatScope): Promise<void> {
    const threat = await this.findThreat(text, scope)
    if (threat) throw threat
  }

  /** Throws `blocked` if the text contains a credential. */
  async refuseCredential(text: string): Promise<void> {
    await this.takeTurn(text.length)
    const kinds = findNewCredentials('', text)
    if (kinds) throw new HermesError('blocked', `It contains ${kinds.join(' and ')}. Secrets are stored neither in memory nor in skills.`)
  }
}
