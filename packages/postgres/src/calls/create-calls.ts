/** What every call has in common: it fails once the back end or the queue is closed, ends in time, and finds its tables. */
import { err, type Result } from '@hermes/core'
import { closedError } from '@hermes/core/storage'
import type { Driver } from '../drivers/driver.ts'
import { createPatience, type Patience, retrying } from '../failures/patience.ts'
import { ensureSchema } from '../schema/ensure-schema.ts'
import { type MigrationSet, STORAGE_TABLES } from '../schema/migrations.ts'
import { createOnce } from '../schema/once.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { createUnderWay } from './under-way.ts'

export interface Calls {
  /** Fails with what `checked` holds, or with `closed`, without calling `work`. */
  readonly call: <T>(checked: Result<unknown>, work: (patience: Patience) => Promise<Result<T>>) => Promise<Result<T>>
  /** Resolves once the tables are there; asks the database once. */
  readonly ensure: (patience: Patience) => Promise<void>
  /** Waits for calls under way. */
  readonly close: () => Promise<void>
}

export interface CallsOptions {
  readonly driver: Driver
  readonly names: SchemaNames
  readonly timeoutMs: number
  readonly createId: () => string
  /** Default: those of storage and queue. */
  readonly tables?: MigrationSet
}

/** From 0 to 1, out of a random id. */
const fractionOf = (id: string): number => Number.parseInt(id.slice(0, 4), 16) / 65_536

export const createCalls = ({ driver, names, timeoutMs, createId, tables = STORAGE_TABLES }: CallsOptions): Calls => {
  const underWay = createUnderWay()
  return {
    call: async (checked, work) => {
      if (underWay.isClosed()) return err(closedError())
      if (!checked.ok) return checked
      return underWay.add(work(createPatience({ timeoutMs, random: () => fractionOf(createId()) })))
    },
    ensure: createOnce((patience: Patience) => retrying(patience, () => ensureSchema(driver, names, tables))),
    close: underWay.close,
  }
}
