/** What the parts of one session share: its home, its work behind the turn, how it reports failures, and the step in progress. */
import type { MemoryStore } from '../memory/memory-store.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { ProviderPlace } from '../provider/memory-provider.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import { BackgroundTasks, backgroundError } from './background-tasks.ts'
import { type WiringFailure, wiringEvent } from './hermes-event.ts'
import type { SessionHome } from './session-home.ts'
import { SessionNesting } from './session-nesting.ts'
import { ToolTrust } from './tool-trust.ts'
import { tooSlow, withinLimit } from './within-limit.ts'

/** For a session that is opened with another project than the one it began with. */
export const otherProject = (id: string, project: string, own: string | undefined): string =>
  `Session '${id.slice(0, 80)}' ${own === undefined ? 'began without a project' : `is of the project '${own}'`}, but it was opened with the project '${project}', so it goes on without memory. Begin a new session for each project.`

export class SessionContext {
  readonly home: SessionHome
  readonly id: string
  readonly tasks: BackgroundTasks
  /** Work that waits for all tasks, so that it cannot be one of them. */
  readonly endings: BackgroundTasks
  readonly nesting: SessionNesting
  readonly trust: ToolTrust
  /** The project that the session was opened with; if with none, that of its record. */
  project: string | undefined
  /** Set if the record is of another project, and says so: nothing that is said here is shown, stored, learned or told to the provider. */
  misplaced: string | undefined
  /** Undefined without one, if it mixes projects and this is a session of one, and once the session was forgotten or found to be misplaced, or nobody knows its project. */
  provider: ProviderConnection | undefined
  memory: MemoryStore
  /** Undefined if skills are switched off. */
  readonly usage: UsageStore | undefined
  /** The name under which the agent calls a tool: its own name, unless every offer had a prefix; then the name of the first offer. Without tools that were not offered. */
  readonly offeredAs = new Map<string, string>()
  /** The current turn as the host showed it; undefined between turns, and if the host reports turns only after they end. */
  openTurn: readonly TurnMessage[] | undefined
  /** The model of the current step, as the provider names it. */
  modelId: string | undefined

  constructor(home: SessionHome, id: string, project?: string) {
    this.home = home
    this.id = id
    const reporting = {
      background: home.options.background,
      onCrash: (cause: unknown) => this.crashed(cause),
      onBackgroundFailure: (cause: unknown) => this.#notTaken(cause),
    }
    this.tasks = new BackgroundTasks(reporting)
    this.endings = new BackgroundTasks(reporting)
    this.nesting = new SessionNesting(home.identity, id, home.clock)
    this.trust = new ToolTrust(home.options.trustedTools)
    this.project = project
    this.provider = home.provider
    this.#dropMixing()
    this.memory = this.#openMemory()
    this.usage = home.skills?.createUsageStore((error) => this.failed('skill usage', error))
  }

  #openMemory(): MemoryStore {
    return this.home.memoryOf(this.id, (error) => this.failed('load memory', error), this.project)
  }

  #dropMixing(): void {
    if (!this.provider || this.provider.serves(this.project)) return
    this.provider.reportMixing()
    this.provider = undefined
  }

  /** Names a project only if there is one. */
  get ofProject(): { readonly project?: string } {
    return this.project === undefined ? {} : { project: this.project }
  }

  /** For the memory provider. */
  get place(): ProviderPlace {
    return { sessionId: this.id, ...this.ofProject }
  }

  /** Called once the record is read. `stored`: its project. `isUnread`: the record is there and could not be read. */
  found(stored: string | undefined, isUnread = false): void {
    const { id, project } = this
    // It may be a session of any project.
    if (isUnread && project === undefined) this.provider = undefined
    if (project === stored) return
    if (project === undefined) {
      this.project = stored
      this.#dropMixing()
      this.memory = this.#openMemory()
      return
    }
    this.misplaced = otherProject(id, project, stored)
    this.provider = undefined
    this.reportWiring({ mistake: 'other-project', message: this.misplaced })
  }

  /** Hermes could not read or write. */
  failed(operation: string, error: HermesError, type: 'storage-failed' | 'host-failed' = 'storage-failed'): void {
    this.home.emit({ type, sessionId: this.id, at: this.home.clock(), operation, error })
  }

  /** True if a method was called with invalid arguments, which is then an event. */
  isMisuse(operation: string, problem: HermesError | undefined): boolean {
    if (problem) this.failed(operation, problem, 'host-failed')
    return problem !== undefined
  }

  /** Work behind the turn threw: a defect. */
  crashed(cause: unknown): void {
    this.failed('background', backgroundError(cause))
  }

  /** `record`: after the failure was counted. */
  skillFailed(skill: string, record: UsageRecord): void {
    const { failureCount, repairCount, failing } = record
    this.home.emit({ type: 'skill-failed', sessionId: this.id, at: this.home.clock(), skill, failureCount, repairCount, failing })
  }

  reportWiring(failure: WiringFailure): void {
    this.home.emit(wiringEvent(failure, this.home.clock, this.id))
  }

  /** The storage's answer, if it arrives while a turn may wait for it; otherwise undefined, and an event. */
  async inTime<T>(operation: string, work: Promise<T>): Promise<T | undefined> {
    const { loadTimeoutMs } = this.home.options
    const answer = await withinLimit(work, loadTimeoutMs)
    if (answer === undefined) this.failed(operation, tooSlow(loadTimeoutMs))
    return answer
  }

  /** The same for a tool's work, which continues after the limit: its write may still succeed. */
  async toolInTime<T>(operation: string, work: Promise<T>): Promise<T | undefined> {
    const answer = await this.inTime(operation, work)
    if (answer === undefined) this.tasks.run(() => work.then(() => {}))
    return answer
  }

  /** The host's `background` threw or rejected. */
  #notTaken(cause: unknown): void {
    const message = `The function passed as 'background' failed: ${String(cause)}. The work goes on, but a platform that stops after the response may not let it finish.`
    this.failed('background', new HermesError('invalid', message, { cause }), 'host-failed')
  }
}
