/** Counts the use of a skill behind the turn. */
import type { HermesError } from '../shared/hermes-error.ts'
import type { UsageEvent } from '../usage/usage-event.ts'
import type { UsageStore } from '../usage/usage-store.ts'

export const countSkillUse = async (
  usage: UsageStore | undefined,
  name: string,
  events: readonly UsageEvent[],
  onFailure: (operation: string, error: HermesError) => void,
): Promise<void> => {
  for (const event of events) {
    const counted = await usage?.record(name, event)
    if (counted?.ok === false) onFailure('count skill use', counted.error)
  }
}
