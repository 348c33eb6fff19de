/** Journals what a person or the host's code writes outside the loop. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import type { Journal, JournalRecordInput } from './journal.ts'

/** `person`: somebody at a command line or a settings page. `host`: the host's own code. */
export type HostActor = 'host' | 'person'

export interface HostRecorder {
  readonly record: (records: readonly JournalRecordInput[]) => Promise<void>
}

/** A journal error does not undo the write: `onFailure` is called. */
export const recordHostWrites = (
  journal: Pick<Journal, 'append'>,
  onFailure: (error: HermesError, operation: string) => void,
): HostRecorder => {
  const record = async (records: readonly JournalRecordInput[]): Promise<void> => {
    let written: Result<unknown>
    try {
      written = await journal.append(records)
    } catch (cause) {
      written = err(new HermesError('io', `The journal could not be written: ${String(cause)}`, { cause }))
    }
    if (!written.ok) onFailure(written.error, 'journal')
  }
  return { record }
}
