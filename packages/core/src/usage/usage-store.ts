/**
 * Counts the use of skills and stores their lifecycle in one sidecar, shared with Python Hermes (seed 000, reference skills-curator 4).
 * Reads for telemetry never fail; reads for decisions, and writes, do.
 */
import { callSafely } from '../shared/call-safely.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { orError, readDocument } from '../storage/one-document.ts'
import type { Cut, StorageBackend } from '../storage/storage-backend.ts'
import { withStorage } from '../storage/with-storage.ts'
import { readStoredRecord, writeStoredRecord } from './stored-record.ts'
import {
  applyState,
  applyUsageEvent,
  checkUsageName,
  newUsageRecord,
  SKILL_STATES,
  type SkillState,
  toUsageRecord,
  USAGE_EVENTS,
  type UsageEvent,
  type UsageEventDetails,
  type UsageRecord,
  type UsageRecordInput,
} from './usage-record.ts'
import {
  createSidecarDecoder,
  planSidecar,
  problemOfAside,
  type SidecarChange,
  USAGE_PATH,
  USAGE_PATHS,
  type UsageSidecar,
} from './usage-sidecar.ts'

export interface UsageStoreOptions {
  readonly storage: StorageBackend
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Called if a corrupt or unreachable sidecar reads as empty or is set aside. */
  readonly onProblem?: (problem: HermesError) => void
}

export type UsageRecords = ReadonlyMap<string, UsageRecord>

/** Read between two pauses, so that a large library does not hold the event loop. */
const READ_AT_ONCE = 1_000

const toRecords = async (sidecar: UsageSidecar): Promise<UsageRecords> => {
  const records = new Map<string, UsageRecord>()
  let seen = 0
  for (const [name, stored] of sidecar) {
    if (++seen % READ_AT_ONCE === 0) await pause()
    const record = readStoredRecord(stored)
    if (record) records.set(name, record)
  }
  return records
}

const withRecord = (sidecar: UsageSidecar, name: string, stored: unknown, record: UsageRecordInput): SidecarChange<UsageRecord> => ({
  sidecar: new Map(sidecar).set(name, writeStoredRecord(stored, record)),
  value: toUsageRecord(record),
})

const isState = (state: unknown): state is SkillState => SKILL_STATES.some((known) => known === state)

const noState = (state: unknown) =>
  err(new HermesError('invalid', `'${String(state)}' is not a state of a skill. Use one of ${SKILL_STATES.join(', ')}.`))

export class UsageStore {
  readonly #storage: StorageBackend
  readonly #clock: Clock
  readonly #onProblem: (problem: HermesError) => void
  readonly #sidecars = createSidecarDecoder()

  /** Throws a TypeError without a storage. */
  constructor(options: UsageStoreOptions) {
    const { storage, clock = systemClock, onProblem = () => {} } = withStorage('UsageStore', options)
    this.#storage = storage
    this.#clock = clock
    this.#onProblem = onProblem
  }

  /** The record of one skill, for telemetry; `undefined` also if the sidecar cannot be read. */
  async get(name: string): Promise<UsageRecord | undefined> {
    return (await this.all()).get(name)
  }

  /** All records, for telemetry; empty if the sidecar cannot be read. For decisions use `load()`. `cut`: names the sidecar; it is taken instead of reading. */
  async all(cut?: Cut): Promise<UsageRecords> {
    const document = cut ? await orError(async () => ok(cut.document(USAGE_PATH))) : await readDocument(this.#storage, USAGE_PATH)
    const sidecar = document.ok ? this.#sidecars.decode(document.value) : document
    if (sidecar.ok) return toRecords(sidecar.value)
    callSafely(this.#onProblem, sidecar.error)
    return new Map()
  }

  /** All records, for decisions: `unreadable` while the sidecar is corrupt or a corrupt one is set aside. */
  load(): Promise<Result<UsageRecords>> {
    return orError(async () => {
      const cut = await this.#storage.read(USAGE_PATHS)
      if (!cut.ok) return cut
      const problem = problemOfAside(cut.value)
      if (problem) return err(problem)
      const sidecar = this.#sidecars.decode(cut.value.document(USAGE_PATH))
      return sidecar.ok ? ok(await toRecords(sidecar.value)) : sidecar
    })
  }

  /**
   * Counts an event at the present time. Concurrent events of any number of processes all count. A corrupt sidecar is set aside in the same update, under
   * `skills/.usage-corrupt`, and counting starts anew; lifecycle changes fail until that folder is gone.
   */
  async record(name: string, event: UsageEvent, details: UsageEventDetails = {}): Promise<Result<UsageRecord>> {
    const checked = checkUsageName(name)
    if (!checked.ok) return checked
    if (!USAGE_EVENTS.includes(event)) {
      return err(new HermesError('invalid', `'${String(event)}' is not a usage event. Use one of ${USAGE_EVENTS.join(', ')}.`))
    }
    const at = this.#clock()
    return this.#update('count', (sidecar) => {
      const stored = event === 'create' ? undefined : sidecar.get(name)
      return withRecord(sidecar, name, stored, applyUsageEvent(readStoredRecord(stored), event, at, details))
    })
  }

  /** Writes a whole record (seed 000); unknown fields are kept. Overwrites events counted since the read; `setState` and `pin` do not. */
  put(name: string, record: UsageRecordInput): Promise<Result<UsageRecord>> {
    return this.#change(name, () => record)
  }

  /** Automatic changes skip pinned skills. */
  pin(name: string): Promise<Result<UsageRecord>> {
    return this.#change(name, (current) => ({ ...current, pinned: true }))
  }

  unpin(name: string): Promise<Result<UsageRecord>> {
    return this.#change(name, (current) => ({ ...current, pinned: false }))
  }

  /** Sets or clears the time of archiving; keeps events counted meanwhile. */
  async setState(name: string, state: SkillState): Promise<Result<UsageRecord>> {
    return isState(state) ? this.#change(name, (current, at) => applyState(current, state, at)) : noState(state)
  }

  /** For a skill that a person deleted; an archived skill keeps its record. */
  remove(name: string): Promise<Result<void>> {
    return this.#update('decide', (sidecar) => ({
      sidecar: new Map([...sidecar].filter(([other]) => other !== name)),
      value: undefined,
    }))
  }

  /** A lifecycle change. A missing record is created. */
  async #change(name: string, change: (current: UsageRecord, at: number) => UsageRecordInput): Promise<Result<UsageRecord>> {
    const checked = checkUsageName(name)
    if (!checked.ok) return checked
    const at = this.#clock()
    return this.#update('decide', (sidecar) => {
      const stored = sidecar.get(name)
      return withRecord(sidecar, name, stored, change(readStoredRecord(stored) ?? newUsageRecord(at), at))
    })
  }

  /** `count`: sets a corrupt sidecar aside. `decide`: `unreadable` if a pin or mark could be lost. */
  async #update<T>(purpose: 'count' | 'decide', change: (sidecar: UsageSidecar) => SidecarChange<T>): Promise<Result<T>> {
    const updated = await orError(() =>
      this.#storage.update(USAGE_PATHS, (cut) => {
        const { put, ...planned } = planSidecar(cut, this.#sidecars, purpose, change)
        return { put, value: planned }
      }),
    )
    if (!updated.ok) return updated
    const { value, aside } = updated.value
    if (aside) callSafely(this.#onProblem, aside)
    return ok(value)
  }
}
