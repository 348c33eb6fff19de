/** What the curator's verbs work with: the stores of the home, and the settings of config.yaml. */
import type {
  AgeingOptions,
  CuratorConfig,
  CuratorSchedule,
  HermesError,
  Journal,
  Result,
  SkillStore,
  StorageBackend,
  UsageStore,
} from '@hermes/core'
import type { Context } from '../../context.ts'
import { counted } from '../../terminal/gauge.ts'
import { openJournal } from '../journal/read-journal.ts'

export interface CuratorParts {
  readonly storage: StorageBackend
  readonly skills: SkillStore
  readonly usage: UsageStore
  readonly journal: Journal
  readonly clock: Context['clock']
  readonly ageing: AgeingOptions
  readonly schedule: CuratorSchedule
  readonly settings: CuratorConfig
}

const pick = <T extends object, Key extends keyof T>(from: T, ...keys: readonly Key[]): Partial<Pick<T, Key>> =>
  Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])) as Partial<Pick<T, Key>>

export const curatorParts = (context: Context): CuratorParts => {
  const { core, hermes, storage, clock, config, warn } = context
  const settings: CuratorConfig = config.ok ? config.value.config.curator : { backup: {} }
  return {
    storage,
    clock,
    settings,
    skills: hermes.skillStore(),
    usage: new core.UsageStore({ storage, clock, onProblem: ({ message }) => warn(message) }),
    journal: openJournal(context),
    ageing: pick(settings, 'staleAfterDays', 'archiveAfterDays', 'neverActive', 'countBy'),
    schedule: pick(settings, 'enabled', 'intervalHours', 'minIdleHours'),
  }
}

export const warnOf = (problems: readonly HermesError[], { warn }: Context): void => {
  for (const { message } of problems) warn(message)
}

/** Before a verb that changes the library: a rollback that was interrupted comes to its end first. */
export const settleRollback = async (context: Context): Promise<Result<void>> => {
  const { core, storage, clock, warn } = context
  const recovered = await core.recoverRollback(storage, clock)
  if (!recovered.ok) return recovered
  if (recovered.value.recovered === 'finished') {
    const { id, restored } = recovered.value.report
    warn(`A rollback to ${id} had been interrupted and was finished first: ${counted(restored.length, 'file')} put back.`)
  } else if (recovered.value.recovered === 'undone') {
    warn(`A rollback had been interrupted and was undone: ${recovered.value.because.message}`)
  }
  return core.ok(undefined)
}
