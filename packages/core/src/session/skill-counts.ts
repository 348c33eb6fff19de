/** Counts the use of skills by a session behind the turn, and the successes of the turns that load skills. */
import type { UsageEvent } from '../usage/usage-record.ts'
import type { OpenSession } from './open-session.ts'
import type { SessionContext } from './session-context.ts'

export class SkillCounts {
  readonly #context: Pick<SessionContext, 'usage' | 'tasks' | 'failed'>
  readonly #open: Pick<OpenSession, 'whenReady'>
  readonly #loaded = new Set<string>()

  constructor(context: Pick<SessionContext, 'usage' | 'tasks' | 'failed'>, open: Pick<OpenSession, 'whenReady'>) {
    this.#context = context
    this.#open = open
  }

  /** Counts events under the skill's own name; a failure is an event. */
  count(name: string, events: readonly UsageEvent[]): void {
    if (events.includes('use')) this.#open.whenReady(() => this.#loaded.add(name))
    this.#context.tasks.run(() => this.#write(name, events))
  }

  /** The current turn has changed the skill, so having loaded it no longer counts as a success. */
  noteChanged(name: string): void {
    this.#open.whenReady(() => this.#loaded.delete(name))
  }

  turnBegan(): void {
    this.#loaded.clear()
  }

  /** Counts a success for each skill that the turn loaded. */
  turnEnded(): void {
    for (const name of this.#loaded) this.count(name, ['success'])
    this.#loaded.clear()
  }

  async #write(name: string, events: readonly UsageEvent[]): Promise<void> {
    for (const event of events) {
      const counted = await this.#context.usage?.record(name, event)
      if (counted?.ok === false) this.#context.failed('count skill use', counted.error)
    }
  }
}
