/** One import into a home: the transaction that it works on, what is known of the home, what it has to tell, and the scans of its texts. */
import type { ReviewGate, Verdict } from '../gate/review-gate.ts'
import type { HostActor } from '../journal/host-recorder.ts'
import type { JournalRecordInput } from '../journal/journal.ts'
import type { MemoryStoreOptions, MemoryWrite, MemoryWriter } from '../memory/memory-store-options.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import type { DocumentContent, StorageBackend } from '../storage/storage-backend.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import type { ThreatScope } from '../threats/phrases.ts'
import { scanThreats } from '../threats/scan.ts'
import { toScanParts } from '../threats/scan-parts.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import { ImportTally } from './import-report.ts'

/** The home that something is imported into. */
export interface ImportingHome {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly createId: () => string
  /** Decides about the items of an archive that is not trusted. */
  readonly gate: ReviewGate
  readonly actor: HostActor
  readonly options: { readonly memory: Omit<MemoryStoreOptions, 'storage' | 'clock' | 'onFailure' | 'onWrite'> }
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

/** By part, name and id; undefined for an approval. */
type Verdicts = Map<string, Verdict | undefined>

/** The reason given in the journal and the archive. */
export const IMPORTED = 'It was imported from an archive.'

export const invalidImport = (message: string): HermesError => new HermesError('invalid', message)

const blocked = (message: string): HermesError => new HermesError('blocked', message)

/** True if the storage as a whole has failed: nothing is imported. Any other error refuses one item only. */
export const endsImport = ({ code }: HermesError): boolean =>
  code === 'io' || code === 'no_space' || code === 'closed' || code === 'locked' || code === 'unwritable' || code === 'timeout'

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
  readonly tally: ImportTally
  /** Documents of proposals to hold, by path. */
  readonly held: Record<string, Uint8Array> = {}
  /** Ids of the proposals that wait in this home, once they were needed. */
  waiting: ReadonlySet<string> | undefined
  /** What was written to memory, for those who listen. */
  readonly writes: MemoryWrite[] = []
  /** Lines for the journal. */
  readonly lines: JournalRecordInput[] = []
  /** Usage records of added skills, by name. One of that name in this home stays. */
  readonly usage = new Map<string, UsageRecord>()
  /** What the gate has said about each item, kept for another attempt. */
  readonly verdicts: Verdicts
  #sincePause = 0

  constructor(
    home: ImportingHome,
    over: StorageBackend,
    contents: Import['contents'],
    known: KnownRecords,
    trusted: boolean,
    dryRun: boolean,
    verdicts: Verdicts,
  ) {
    this.home = home
    this.over = over
    this.contents = contents
    this.known = known
    this.trusted = trusted
    this.tally = new ImportTally(dryRun)
    this.verdicts = verdicts
  }

  // Texts of an archive are scanned as the stores do, in pieces, so that a long text does not block the event loop.

  /** Other work runs after so many units of text. */
  async takeTurn(units: number): Promise<void> {
    this.#sincePause += units
    if (this.#sincePause < UNITS_BETWEEN_PAUSES) return
    this.#sincePause = 0
    await pause()
  }

  /** `blocked` if the text contains a threat. The message has the findings, never the text. */
  async findThreat(text: string, scope: ThreatScope): Promise<HermesError | undefined> {
    for (const part of toScanParts(text)) {
      await this.takeTurn(part.length)
      const findings = scanThreats(part, scope)
      if (findings.length > 0) return blocked(`The threat scan blocked it (${findings.join(', ')}).`)
    }
    return undefined
  }

  /** The same for credentials. */
  async findCredential(text: string): Promise<HermesError | undefined> {
    await this.takeTurn(text.length)
    const kinds = findNewCredentials('', text)
    return kinds ? blocked(`It contains ${kinds.join(' and ')}. Secrets are stored neither in memory nor in skills.`) : undefined
  }
}
