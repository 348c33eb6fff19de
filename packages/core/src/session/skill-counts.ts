/** Counts the use of skills by a session. */
import type { HermesError } from '../shared/hermes-error.ts'
import type { UsageEvent } from '../usage/usage-event.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import type { BackgroundTasks } from './background-tasks.ts'

export interface SkillCounts {
  /** Counts events under the skill's own name; a failure is an event. */
  count(name: string, events: readonly UsageEvent[]): void
  /** The current turn has changed the skill, so having loaded it no longer counts as a success. */
  noteChanged(name: string): void
  turnBegan(): void
  /** Counts a success for each skill that the turn loaded. */
  turnEnded(): void
}

interface SkillCountDeps {
  /** Undefined if skills are switched off. */
  readonly usage: UsageStore | undefined
  readonly tasks: Pick<BackgroundTasks, 'run'>
  readonly failed: (operation: string, error: HermesError) => void
  /** Runs the effect once the session is loaded, in order. */
  readonly whenReady: (effect: () => void) => void
}

/** Counts skill usage behind the turn, and successes of the turns that load skills. */
export const skillCounts = ({ usage, tasks, failed, whenReady }: SkillCountDeps): SkillCounts => {
  const loaded = new Set<string>()

  const write = async (name: string, events: readonly UsageEvent[]): Promise<void> => {
    for (const event of events) {
      const counted = await usage?.record(name, event)
      if (counted?.ok === false) failed('count skill use', counted.error)
    }
  }

  const count = (name: string, events: readonly UsageEvent[]) => {
    if (events.includes('use')) whenReady(() => loaded.add(name))
    tasks.run(() => write(name, events))
  }

  return {
    count,
    noteChanged: (name) => whenReady(() => loaded.delete(name)),
    turnBegan: () => loaded.clear(),
    turnEnded: () => {
      for (const name of loaded) count(name, ['success'])
      loaded.clear()
    },
  }
}
