/** Plays attacks at every trust level, several at once. */
import type { TrustLevel } from '@hermes/core'
import type { Attack } from './attacks.ts'
import { type Played, playAttack, TRUST_LEVELS } from './play-attack.ts'

export interface ChannelRow extends Played {
  readonly attack: Attack
  readonly trust: TrustLevel
}

/** Each waits for hashes and storage, so several are needed to use one core. */
const AT_ONCE = 16

export const measureChannels = async (
  attacks: readonly Attack[],
  levels: readonly TrustLevel[] = TRUST_LEVELS,
): Promise<readonly ChannelRow[]> => {
  const jobs = attacks.flatMap((attack) => levels.map((trust) => ({ attack, trust })))
  const rows: ChannelRow[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < jobs.length; at = next++) {
      const job = jobs[at]
      if (job !== undefined) rows[at] = { ...job, ...(await playAttack(job.attack, job.trust)) }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return rows
}
