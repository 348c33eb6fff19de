/** Opens a session on first use, and keeps its frozen text. Storage that fails or hangs must not delay the turn. */
import type { ProviderConnection } from '../provider/provider-connection.ts'
import { callSafely } from '../shared/call-safely.ts'
import { pause } from '../shared/pause.ts'
import type { Cut } from '../storage/storage-backend.ts'
import { BlockView } from './block-view.ts'
import { type LoadedRecord, loadRecord } from './load-record.ts'
import type { RecordRedactor } from './record-redaction.ts'
import { type BlockOptions, problemOfLimit, type SessionCheckpoint } from './session.ts'
import type { SessionContext } from './session-context.ts'
import { sessionPath } from './session-record.ts'
import { SessionSaves } from './session-saves.ts'
import type { SessionState } from './session-state.ts'

/** Without a text that shows notes on another project. */
const checkpointFor = (project: string | undefined, checkpoint: SessionCheckpoint | undefined): SessionCheckpoint | undefined => {
  if (checkpoint?.block === undefined || checkpoint.project === project) return checkpoint
  const { block: _, ...counts } = checkpoint
  return counts
}

export class LazySession {
  readonly saves: SessionSaves
  readonly #context: SessionContext
  readonly #checkpoint: SessionCheckpoint | undefined
  // First the text is known, which a prompt waits for; then the session is open: it counts and saves.
  #finding: Promise<LoadedRecord> | undefined
  #text = ''
  #opening: Promise<SessionState> | undefined
  #state: SessionState | undefined
  /** What waits until the session is open. */
  readonly #counts: ((state: SessionState) => void)[] = []
  // If the first prompt went out without the block, later ones omit it too: the prefix must not change.
  #startedBlank = false
  #isShown = false
  #maxChars: number | undefined
  // All who wait share one limit, and one event: after it, the session is open or runs without its text.
  #waiting: Promise<LoadedRecord | undefined> | undefined
  #inherited: Promise<void> | undefined
  #priorProject: Promise<string | undefined> | undefined

  /** `checkpoint` is used if the storage has no record of the session. */
  constructor(context: SessionContext, checkpoint: SessionCheckpoint | undefined) {
    this.#context = context
    this.#checkpoint = checkpoint
    this.saves = new SessionSaves(context, this)
  }

  /** True once the session was used. */
  get isBegun(): boolean {
    return this.#finding !== undefined
  }

  /** Undefined until the session is open. */
  get state(): SessionState | undefined {
    return this.#state
  }

  /** Opens the session on the first call. */
  ready(): Promise<SessionState> {
    this.#opening ??= this.#open()
    return this.#opening
  }

  #find(): Promise<LoadedRecord> {
    this.#finding ??= this.#load()
    return this.#finding
  }

  async #whenFound(): Promise<LoadedRecord | undefined> {
    if (this.#startedBlank) return undefined
    this.#waiting ??= this.#context.inTime('load session', this.#find())
    const found = await this.#waiting
    this.#startedBlank ||= found === undefined
    // Of a prompt that goes on in this process it has to be known what the model asked its tools, and what was recalled. A failure is reported by its task.
    if (found?.loaded.asked ?? found?.loaded.recalled) await this.ready().catch(() => undefined)
    return this.#startedBlank ? undefined : found
  }

  /** The open session; undefined if its prompts are sent without memory. Waits as long as `systemBlock()`. */
  async whenOpen(): Promise<SessionState | undefined> {
    return (await this.#whenFound()) && this.ready()
  }

  /** Runs at once if the session is open, so that a fast model cannot overtake the count; otherwise when it opens, in order: the end of a step behind its begin. */
  whenReady(count: (state: SessionState) => void): void {
    if (!this.#state) this.#context.tasks.run(async () => void (await this.ready()))
    if (this.#state) count(this.#state)
    else this.#counts.push(count)
  }

  async systemBlock({ maxChars }: BlockOptions = {}): Promise<string> {
    if (!this.#context.isMisuse('systemBlock', problemOfLimit(maxChars)) && !this.isBegun) this.#maxChars = maxChars
    await this.#whenFound()
    this.#isShown = true
    return this.#block
  }

  async refresh(): Promise<string> {
    const opened = this.#state ?? (await this.#context.inTime('refresh session', this.ready()))
    if (this.#context.misplaced) return this.#block
    const fresh = opened && (await this.#context.inTime('refresh session', this.#freeze()))
    if (!opened || !fresh?.complete) return this.#block
    const shown = this.#isShown ? this.#block : undefined
    this.#startedBlank = false
    this.#waiting = undefined
    opened.replaceBlock(fresh.text, shown)
    this.saves.request()
    return fresh.text
  }

  /** From now on, text from outside is in sight. */
  taint(): void {
    this.whenReady((state) => state.taint())
    this.saves.request()
  }

  async isTainted(): Promise<boolean> {
    await this.#inherited
    return (await this.ready()).isTainted()
  }

  /** The project of the session as its record says. Never rejects. */
  async project(): Promise<string | undefined> {
    await this.#find().catch(() => undefined)
    return this.#context.project
  }

  /** The memory provider, once the project of the session is known. Undefined without one, or if that takes too long. */
  async provider(): Promise<ProviderConnection | undefined> {
    if (!this.#context.provider) return undefined
    const isKnown = await this.#context.inTime(
      'load session',
      this.project().then(() => true),
    )
    return isKnown ? this.#context.provider : undefined
  }

  /** The same, of a session that was used here or is stored: a look for the project of any other id would begin a session. */
  async providerOfBegun(): Promise<ProviderConnection | undefined> {
    const { provider, home, id } = this.#context
    if (!provider || this.isBegun) return this.provider()
    const found = await (await import('./stored-record.ts')).readRecord(home.storage, sessionPath(id))
    return found.ok && !found.value ? undefined : this.provider()
  }

  goesOn(tainted: Promise<boolean>, project?: Promise<string | undefined>): void {
    this.#priorProject = project
    // If it is not known, text from outside may have been in sight.
    const marked = tainted
      .catch(() => true)
      .then(async (isInSight) => {
        if (!isInSight) return
        await this.ready()
        this.taint()
      })
    this.#inherited = marked
    this.#context.tasks.run(() => marked)
  }

  async forget(): Promise<void> {
    this.#startedBlank = true
    // A session that could not be opened has nothing to forget.
    if (this.#finding) await (await this.ready().catch(() => undefined))?.forget()
  }

  async redact(redactor: RecordRedactor): Promise<void> {
    if (this.#finding) (await this.ready()).redact(redactor)
  }

  get #block(): string {
    return this.#startedBlank ? '' : (this.#state?.block ?? this.#text)
  }

  async #freeze(cut?: Cut) {
    const { home, memory, offeredAs } = this.#context
    return (await import('./freeze-block.ts')).freezeBlock(home, {
      memory,
      maxChars: this.#maxChars,
      toolName: (tool) => offeredAs.get(tool),
      skillsLimitMs: Math.ceil(home.options.loadTimeoutMs / 2),
      onFailure: (operation, error) => this.#context.failed(operation, error),
      cut,
    })
  }

  /** What counts turns and saves them is loaded once the text is known, while the model answers. */
  async #open(): Promise<SessionState> {
    const found = await this.#find()
    const state = new (await import('./session-state.ts')).SessionState(this.#context.home, found, this.#context.trust)
    // Of a session that was opened with another project than its own, nothing is stored.
    if (this.#context.misplaced) await state.forget()
    this.#state = state
    for (const count of this.#counts.splice(0)) callSafely(count, state, (cause) => this.#context.tasks.run(() => Promise.reject(cause)))
    // Saved at once, so that another process of this session finds the same text.
    if (found.isOurs && state.unsaved) this.saves.request()
    return state
  }

  async #load(): Promise<LoadedRecord> {
    // Waits only for a session whose project nobody has named.
    if (this.#priorProject && this.#context.project === undefined) this.#context.found(await this.#priorProject)
    const { home, id, project, tasks, memory, offeredAs } = this.#context
    const toolName = (tool: string) => offeredAs.get(tool)
    const begun = { id, project, maxChars: this.#maxChars, checkpoint: checkpointFor(project, this.#checkpoint) }
    const view = new BlockView(home, { ...begun, memory, toolName, limitMs: Math.ceil(home.options.loadTimeoutMs / 8) })
    const found = await loadRecord(home, { ...begun, view, freeze: (cut) => this.#freeze(cut) })
    const { problem, isOurs } = found
    if (problem) this.#context.failed('load session', problem)
    // An invalid record was moved aside. Any other problem may pass, and the prompt must not change when it does; nor if this came too late for the first prompt.
    const isBlank = (problem !== undefined && problem.code !== 'unreadable') || this.#startedBlank
    this.#context.found(found.loaded.project, problem !== undefined || found.loaded.isOfUnknownProject === true)
    this.#startedBlank = isBlank || this.#context.misplaced !== undefined
    this.#text = found.loaded.block
    this.#maxChars = found.loaded.maxChars
    home.emit({ type: 'session-started', sessionId: id, at: home.clock(), newSession: isOurs, chars: found.loaded.block.length })
    // The caller who waits for the text goes first.
    tasks.run(async () => {
      await pause()
      await this.ready()
      if (found.toKeep !== undefined) await view.keep(home.storage, found.toKeep)
      await (await import('./tidy-home.ts')).tidyAfterStart(this.#context, isOurs)
    })
    return found
  }
}
