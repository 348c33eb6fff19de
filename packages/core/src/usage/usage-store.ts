/**
 * Counts the use of skills and stores their lifecycle in one sidecar, shared with Python Hermes (seed 000, reference skills-curator 4).
 * Reads for telemetry never fail; reads for decisions, and writes, do.
 */

import { callSafely } from '../shared/call-safely.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { withLate } from '../shared/load-late.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readDocument } from '../storage/one-document.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { withStorage } from '../storage/with-storage.ts'
import { checkUsageName } from './check-usage-name.ts'
import { checkNothingAside, keepAside } from './kept-aside.ts'
import type { StateChanges, StateGuard, StatesChanged } from './state-changes.ts'
import { readStoredRecord, writeStoredRecord } from './stored-record.ts'
import { updateSidecar } from './update-sidecar.ts'
import { applyRestore, applyState, applyUsageEvent, USAGE_EVENTS, type UsageEvent, type UsageEventDetails } from './usage-event.ts'
import { newUsageRecord, SKILL_STATES, type SkillState, toUsageRecord, type UsageRecord, type UsageRecordInput } from './usage-record.ts'
import { createSidecarDecoder, USAGE_PATH, type UsageSidecar } from './usage-sidecar.ts'

export interface UsageStoreOptions {
  readonly storage: StorageBackend
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Called if a corrupt or unreachable sidecar reads as empty or is set aside. */
  readonly onProblem?: (problem: HermesError) => void
}

export type UsageRecords = ReadonlyMap<string, UsageRecord>

/** More repairs than this indicate a lasting fault. */
const MAX_REPAIRS = 5

const toRecords = (sidecar: UsageSidecar): UsageRecords =>
  new Map(
    [...sidecar].flatMap(([name, stored]): (readonly [string, UsageRecord])[] => {
      const record = readStoredRecord(stored)
      return record ? [[name, record]] : []
    }),
  )

/** The record that a change has just written. */
const recordIn = (sidecar: UsageSidecar, name: string): UsageRecord => {
  const record = readStoredRecord(sidecar.get(name))
  if (!record) throw new TypeError(`The change wrote no record of '${name}'.`)
  return record
}

export class UsageStore {
  readonly #storage: StorageBackend
  readonly #clock: Clock
  readonly #onProblem: (problem: HermesError) => void
  readonly #decode = createSidecarDecoder()

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

  /** All records, for telemetry; empty if the sidecar cannot be read. For decisions use `load()`. */
  async all(): Promise<UsageRecords> {
    const sidecar = await this.#read()
    if (sidecar.ok) return toRecords(sidecar.value)
    callSafely(this.#onProblem, sidecar.error)
    return new Map()
  }

  /** All records, for decisions: `unreadable` while the sidecar is corrupt or a corrupt one is set aside. */
  async load(): Promise<Result<UsageRecords>> {
    const settled = await checkNothingAside(this.#storage)
    if (!settled.ok) return settled
    const sidecar = await this.#read()
    return sidecar.ok ? ok(toRecords(sidecar.value)) : sidecar
  }

  /**
   * Counts an event at the present time. Concurrent events of any number of processes all count. A corrupt sidecar is first set aside
   * under `skills/.usage-corrupt`, then counting starts anew; lifecycle changes fail until that folder is gone.
   */
  async record(name: string, event: UsageEvent, details: UsageEventDetails = {}): Promise<Result<UsageRecord>> {
    const checked = checkUsageName(name)
    if (!checked.ok) return checked
    if (!USAGE_EVENTS.includes(event)) {
      return err(new HermesError('invalid', `'${String(event)}' is not a usage event. Use one of ${USAGE_EVENTS.join(', ')}.`))
    }
    const at = this.#clock()
    const next = (sidecar: UsageSidecar): UsageSidecar => {
      const stored = event === 'create' ? undefined : sidecar.get(name)
      const record = applyUsageEvent(readStoredRecord(stored), event, at, details)
      return new Map([...sidecar, [name, writeStoredRecord(stored, record)]])
    }
    let replaceable: StoredDocument | undefined
    for (let attempt = 0; attempt <= MAX_REPAIRS; attempt++) {
      const updated = await updateSidecar(this.#storage, next, { replaceable, decode: this.#decode })
      if (!updated.ok) return updated
      if (!updated.value.corrupt) return ok(recordIn(updated.value.sidecar, name))
      const { document, error } = updated.value
      const kept = await keepAside(this.#storage, document.bytes)
      if (!kept.ok) return kept
      replaceable = document
      const details = { path: USAGE_PATH, keptAside: [kept.value] }
      callSafely(
        this.#onProblem,
        new HermesError('unreadable', `${error.message} A copy is kept as '${kept.value}'.`, { cause: error, details }),
      )
    }
    return err(new HermesError('unreadable', `'${USAGE_PATH}' keeps becoming corrupt. Find the program that writes it.`))
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
    if (SKILL_STATES.includes(state)) return this.#change(name, (current, at) => applyState(current, state, at))
    return err(new HermesError('invalid', `'${String(state)}' is not a state of a skill. Use one of ${SKILL_STATES.join(', ')}.`))
  }

  /** Active again after the archive, from now on, with one more misjudgement. */
  restore(name: string): Promise<Result<UsageRecord>> {
    return this.#change(name, applyRestore)
  }

  /**
   * Many states in one atomic write. `guard` is called with each present record, so that a skill used or pinned meanwhile is skipped; it
   * must be pure. A missing record is not created.
   */
  async setStates(changes: StateChanges, guard: StateGuard = () => true): Promise<Result<StatesChanged>> {
    const settled = await checkNothingAside(this.#storage)
    if (!settled.ok) return settled
    return withLate(
      'The code that changes skills',
      () => import('./state-changes.ts'),
      ({ changeStates }) => changeStates(this.#storage, this.#clock(), changes, guard, this.#decode),
    )
  }

  /** For a skill that a person deleted; an archived skill keeps its record. */
  async remove(name: string): Promise<Result<void>> {
    const settled = await checkNothingAside(this.#storage)
    if (!settled.ok) return settled
    const updated = await updateSidecar(this.#storage, (sidecar) => new Map([...sidecar].filter(([other]) => other !== name)))
    if (!updated.ok) return updated
    return updated.value.corrupt ? err(updated.value.error) : ok(undefined)
  }

  /** A lifecycle change; `unreadable` if a pin or mark could be lost. A missing record is created. */
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
    const document = await readDocument(this.#storage, USAGE_PATH)
    return document.ok ? this.#decode(document.value) : document
  }
}
