/**
 * Counts the use of skills and keeps their lifecycle in one sidecar, shared with Python Hermes (seed 000, reference skills-curator 4).
 * Reading for telemetry never fails; deciding and writing do, loudly.
 */
import { callSafely } from '../shared/call-safely.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { checkUsageName } from './check-usage-name.ts'
import { checkNothingAside, keepAside } from './kept-aside.ts'
import { changeStates, type StateChanges, type StateGuard, type StatesChanged } from './state-changes.ts'
import { readStoredRecord, writeStoredRecord } from './stored-record.ts'
import { updateSidecar } from './update-sidecar.ts'
import { applyRestore, applyState, applyUsageEvent, USAGE_EVENTS, type UsageEvent, type UsageEventDetails } from './usage-event.ts'
import { newUsageRecord, SKILL_STATES, type SkillState, toUsageRecord, type UsageRecord, type UsageRecordInput } from './usage-record.ts'
import { decodeSidecar, USAGE_PATH, type UsageSidecar } from './usage-sidecar.ts'

export interface UsageStoreOptions {
  readonly storage: StorageBackend
  /** Default: the machine's time. */
  readonly clock?: Clock
  /** Hears of a sidecar that reads as empty, or was kept aside, because it is corrupt or cannot be reached. */
  readonly onProblem?: (problem: HermesError) => void
}

export type UsageRecords = ReadonlyMap<string, UsageRecord>

/** A file that turns corrupt again and again is no accident. */
const MAX_REPAIRS = 5

const toRecords = (sidecar: UsageSidecar): UsageRecords =>
  new Map(
    [...sidecar].flatMap(([name, stored]): (readonly [string, UsageRecord])[] => {
      const record = readStoredRecord(stored)
      return record ? [[name, record]] : []
    }),
  )

/** What a change has just put there. */
const recordIn = (sidecar: UsageSidecar, name: string): UsageRecord => {
  const record = readStoredRecord(sidecar.get(name))
  if (!record) throw new TypeError(`The change wrote no record of '${name}'.`)
  return record
}

export class UsageStore {
  readonly #storage: StorageBackend
  readonly #clock: Clock
  readonly #onProblem: (problem: HermesError) => void

  constructor({ storage, clock = systemClock, onProblem = () => {} }: UsageStoreOptions) {
    this.#storage = storage
    this.#clock = clock
    this.#onProblem = onProblem
  }

  /** The record of one skill, for telemetry: `undefined` too where the sidecar cannot be read. */
  async get(name: string): Promise<UsageRecord | undefined> {
    return (await this.all()).get(name)
  }

  /** Every record, for telemetry: empty where the sidecar cannot be read. Decide from `load()` instead. */
  async all(): Promise<UsageRecords> {
    const sidecar = await this.#read()
    if (sidecar.ok) return toRecords(sidecar.value)
    callSafely(this.#onProblem, sidecar.error)
    return new Map()
  }

  /** Every record, to decide about skills from: `unreadable` while the sidecar is corrupt, or a corrupt one lies aside. */
  async load(): Promise<Result<UsageRecords>> {
    const settled = await checkNothingAside(this.#storage)
    if (!settled.ok) return settled
    const sidecar = await this.#read()
    return sidecar.ok ? ok(toRecords(sidecar.value)) : sidecar
  }

  /**
   * Counts what happened, now. Concurrent events of any number of processes all count. A corrupt sidecar is kept aside under
   * `skills/.usage-corrupt` first, then counting starts afresh; from then on lifecycle changes refuse until that folder is gone.
   */
  async record(name: string, event: UsageEvent, details: UsageEventDetails = {}): Promise<Result<UsageRecord>> {
    const checked = checkUsageName(name)
    if (!checked.ok) return checked
    if (!USAGE_EVENTS.includes(event)) {
      return err(
        new HermesError('invalid', `'${String(event)}' is nothing that happens to a skill. Use one of ${USAGE_EVENTS.join(', ')}.`),
      )
    }
    const at = this.#clock()
    const next = (sidecar: UsageSidecar): UsageSidecar => {
      const stored = event === 'create' ? undefined : sidecar.get(name)
      const record = applyUsageEvent(readStoredRecord(stored), event, at, details)
      return new Map([...sidecar, [name, writeStoredRecord(stored, record)]])
    }
    let replaceable: string | undefined
    for (let attempt = 0; attempt <= MAX_REPAIRS; attempt++) {
      const updated = await updateSidecar(this.#storage, next, replaceable)
      if (!updated.ok) return updated
      if (!updated.value.corrupt) return ok(recordIn(updated.value.sidecar, name))
      const { document, error } = updated.value
      const kept = await keepAside(this.#storage, document.bytes)
      if (!kept.ok) return kept
      replaceable = document.version
      const details = { path: USAGE_PATH, keptAside: [kept.value] }
      callSafely(
        this.#onProblem,
        new HermesError('unreadable', `${error.message} A copy is kept as '${kept.value}'.`, { cause: error, details }),
      )
    }
    return err(new HermesError('unreadable', `'${USAGE_PATH}' turns corrupt over and over. Find the program that writes it.`))
  }

  /** Writes a whole record (seed 000); unknown fields stay. It undoes what was counted since the read: `setState` and `pin` do not. */
  put(name: string, record: UsageRecordInput): Promise<Result<UsageRecord>> {
    return this.#change(name, () => record)
  }

  /** Pinned skills are exempt on every automatic path. */
  pin(name: string): Promise<Result<UsageRecord>> {
    return this.#change(name, (current) => ({ ...current, pinned: true }))
  }

  unpin(name: string): Promise<Result<UsageRecord>> {
    return this.#change(name, (current) => ({ ...current, pinned: false }))
  }

  /** Stamps or forgets the time of archiving; keeps whatever was counted meanwhile. */
  async setState(name: string, state: SkillState): Promise<Result<UsageRecord>> {
    if (SKILL_STATES.includes(state)) return this.#change(name, (current, at) => applyState(current, state, at))
    return err(new HermesError('invalid', `'${String(state)}' is no state of a skill. Use one of ${SKILL_STATES.join(', ')}.`))
  }

  /** Active again after the archive, from now on, with one misjudgement more. */
  restore(name: string): Promise<Result<UsageRecord>> {
    return this.#change(name, applyRestore)
  }

  /**
   * Many states in one atomic write. `guard` is asked about each record as it is at that moment, so that what another process used or
   * pinned meanwhile stays as it is; it is pure. A name without a record gets none.
   */
  async setStates(changes: StateChanges, guard: StateGuard = () => true): Promise<Result<StatesChanged>> {
    const settled = await checkNothingAside(this.#storage)
    return settled.ok ? changeStates(this.#storage, this.#clock(), changes, guard) : settled
  }

  /** For a skill that a person deleted for good; an archived one keeps its record. */
  async remove(name: string): Promise<Result<void>> {
    const settled = await checkNothingAside(this.#storage)
    if (!settled.ok) return settled
    const updated = await updateSidecar(this.#storage, (sidecar) => new Map([...sidecar].filter(([other]) => other !== name)))
    if (!updated.ok) return updated
    return updated.value.corrupt ? err(updated.value.error) : ok(undefined)
  }

  /** Lifecycle: refuses with `unreadable` what it cannot do without losing a pin or a mark. A record that is absent starts now. */
  async #change(name: string, change: (current: UsageRecord, at: number) => UsageRecordInput): Promise<Result<UsageRecord>> {
    const checked = checkUsageName(name)
    if (!checked.ok) return checked
    const settled = await checkNothingAside(this.#storage)
    if (!settled.ok) return settled
    const at = this.#clock()
    const updated = await updateSidecar(this.#storage, (sidecar) => {
      const stored = sidecar.get(name)
      const record = toUsageRecord(change(readStoredRecord(stored) ?? newUsageRecord(at), at))
      return new Map([...sidecar, [name, writeStoredRecord(stored, record)]])
    })
    if (!updated.ok) return updated
    return updated.value.corrupt ? err(updated.value.error) : ok(recordIn(updated.value.sidecar, name))
  }

  async #read(): Promise<Result<UsageSidecar>> {
    const document = await this.#storage.read(USAGE_PATH)
    return document.ok ? decodeSidecar(document.value) : document
  }
}
