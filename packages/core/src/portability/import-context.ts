/** What all parts of an import share. */

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
  /** Documents of the archive by path, sorted. */
  readonly contents: ReadonlyMap<string, DocumentContent>
  /** See `ImportOptions`. */
  readonly trusted: boolean
  readonly tally: ImportTally
  readonly actor: HostActor
  readonly record: HostRecorder['record']
  /** Creates a store over the storage of this import, with the limits of the home. */
  readonly createMemoryStore: (onWrite: (write: MemoryWrite) => Promise<void>) => MemoryStore
}

/** The reason given in the journal and the archive. */
export const IMPORTED = 'It was imported from an archive.'

/** True if the storage as a whole has failed: the import stops and can be run again. Any other error refuses one item only. */
export const endsImport = ({ code }: HermesError): boolean =>
  code === 'io' || code === 'no_space' || code === 'closed' || code === 'locked' || code === 'unwritable' || code === 'timeout'

export const invalidImport = (message: string): HermesError => new HermesError('invalid', message)
