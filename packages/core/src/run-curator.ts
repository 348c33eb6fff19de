/** The curator for a program that runs no agent. */
import { createHermes } from './create-hermes.ts'
import type { HermesCuratorOptions } from './curator/curator-options.ts'
import type { CuratorReport } from './curator/report.ts'
import type { HermesOptions } from './hermes-options.ts'
import { ok, type Result } from './shared/result.ts'

export type RunCuratorOptions = Pick<HermesOptions, 'storage' | 'clock'> & Omit<HermesCuratorOptions, 'model' | 'consolidate'>

/**
 * One pass over the skills of a home now, as `hermes.curator.run()` does it (seed 000): idle skills of the agent become stale, then archived; none is deleted.
 * Windows in days. The storage stays open. Throws a TypeError for a wrong option.
 */
export const runCurator = async ({ storage, clock, ...curator }: RunCuratorOptions): Promise<Result<CuratorReport>> => {
  const ran = await createHermes({ storage, ...(clock ? { clock } : {}), curator }).curator.run()
  return ran.ok ? ok(ran.value.report) : ran
}
