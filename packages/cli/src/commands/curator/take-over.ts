/** `--force`: releases the lease of a crashed run, which would otherwise last for up to an hour. */
import { ok, type Result } from '@hermes/core'
import { readCuratorLease, releaseCuratorLease } from '@hermes/core/curator'
import type { Context } from '../../context.ts'
import { formatInstant } from '../../terminal/relative-time.ts'

export const takeOver = async ({ storage, clock, warn }: Context): Promise<Result<void>> => {
  const lease = await readCuratorLease(storage, clock)
  if (!lease.ok) return lease
  if (!lease.value) return ok(undefined)
  const released = await releaseCuratorLease({ storage, owner: lease.value.owner })
  if (released.ok) warn(`Took over from the run that began at ${formatInstant(lease.value.startedAt)}.`)
  return released
}
