/** What every part of an import works with. */

import type { HostActor } from '../journal/host-writes.ts'
import type { HostRecorder } from '../journal/record-host-writes.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { MemoryWrite } from '../memory/memory-write.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { DocumentContent, StorageBackend } from '../storage/storage-backend.ts'
import type { ImportTally } from './import-report.ts'

export interface ImportContext {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Of the archive, by document path, in the order of the paths. */
  readonly contents: ReadonlyMap<string, DocumentContent>
  /** See `ImportOptions`. */
  readonly trusted: boolean
  readonly tally: ImportTally
  readonly actor: HostActor
  readonly record: HostRecorder['record']
  /** Over the storage of this import, with the limits of the home. */
  readonly createMemoryStore: (onWrite: (write: MemoryWrite) => Promise<void>) => MemoryStore
}

/** The journal's and the archive's word for why something is here. */
export const IMPORTED = 'It was imported from an archive.'

/** Failures of the storage as a whole: the import ends, and goes on when it is run again. Everything else costs one thing of the archive. */
export const endsImport = ({ code }: HermesError): boolean =>
  code === 'io' || code === 'no_space' || code === 'closed' || code === 'locked' || code === 'unwritable' || code === 'timeout'

export const invalidImport = (message: string): HermesError => new HermesError('invalid', message)
