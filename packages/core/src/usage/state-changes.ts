/** Changes the states of many skills in one write of the sidecar, so that the cost is linear. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { readStoredRecord, writeStoredRecord } from './stored-record.ts'
import { updateSidecar } from './update-sidecar.ts'
import { applyRestore, applyState } from './usage-event.ts'
import { SKILL_STATES, type SkillState, type UsageRecord } from './usage-record.ts'
import type { SidecarDecoder, UsageSidecar } from './usage-sidecar.ts'

/** `restored`: active again after the archive, with a new clock and one more misjudgement, as in `UsageStore.restore`. */
export type StateChange = SkillState | 'restored'

export type StateChanges = ReadonlyMap<string, StateChange>

export type StateGuard = (name: string, current: UsageRecord) => boolean

export interface StatesChanged {
  readonly changed: ReadonlyMap<string, UsageRecord>
  /** The records that the guard refused; `undefined` for a missing record. */
  readonly left: ReadonlyMap<string, UsageRecord | undefined>
}

interface Plan extends StatesChanged {
  readonly sidecar: UsageSidecar
}

const planChanges = (sidecar: UsageSidecar, at: number, changes: StateChanges, guard: StateGuard): Plan => {
  const next = new Map(sidecar)
  const changed = new Map<string, UsageRecord>()
  const left = new Map<string, UsageRecord | undefined>()
  for (const [name, state] of changes) {
    const stored = sidecar.get(name)
    const current = readStoredRecord(stored)
    if (!current || !guard(name, current)) {
      left.set(name, current)
      continue
    }
    const record = state === 'restored' ? applyRestore(current, at) : applyState(current, state, at)
    next.set(name, writeStoredRecord(stored, record))
    changed.set(name, record)
  }
  return { sidecar: changed.size === 0 ? sidecar : next, changed, left }
}

/**
 * `invalid` for an unknown state; `unreadable` if the sidecar is corrupt; it is not changed then. Without a change nothing is written.
 */
export const changeStates = async (
  storage: StorageBackend,
  at: number,
  changes: StateChanges,
  guard: StateGuard,
  decode?: SidecarDecoder,
): Promise<Result<StatesChanged>> => {
  const unknown = [...changes.values()].find((state) => state !== 'restored' && !SKILL_STATES.includes(state))
  if (unknown !== undefined) {
    return err(new HermesError('invalid', `'${String(unknown)}' is not a state of a skill. Use one of ${SKILL_STATES.join(', ')}.`))
  }
  let plan: Plan | undefined
  const change = (sidecar: UsageSidecar): UsageSidecar => {
    plan = planChanges(sidecar, at, changes, guard)
    return plan.sidecar
  }
  const updated = await updateSidecar(storage, change, decode ? { decode } : {})
  if (!updated.ok) return updated
  if (updated.value.corrupt) return err(updated.value.error)
  return ok({ changed: plan?.changed ?? new Map(), left: plan?.left ?? new Map() })
}
