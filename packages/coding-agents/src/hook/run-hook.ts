/** What happens at each event of a coding agent. One process per event, which the agent waits for, so it does as little as possible. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Hermes, type HermesEvent, type Session, systemClock } from '@hermes/core'
import type { AgentHost, HookCall } from '../agent-host.ts'
import { agentsFolder } from '../home-folder.ts'
import { openHome, sessionName } from '../open-home.ts'
import { takeLock } from '../process-lock.ts'
import { projectOf } from '../project-of.ts'
import { ReviewOnce } from '../review/review-once.ts'
import { startReview } from '../review/start-review.ts'
import { type Bookmark, readBookmark, recordingFile, removeOldBookmarks, writeBookmark } from './bookmark.ts'
import { readNewTurns } from './new-turns.ts'

/** Milliseconds by which a prompt may be older than the start of its session: some hosts start the session with the prompt. */
const PROMPT_BEFORE_START_MS = 2_000

/** Milliseconds after which a hook that records cannot be running any more. */
const RECORDING_MS = 60_000

const idleFile = (): string => join(agentsFolder(), 'idle-at')

/** Whether the home was left alone for so long that what is unread is reviewed. */
const wasIdle = async (now: number): Promise<boolean> => {
  const at = Number(await readFile(idleFile(), 'utf8').catch(() => ''))
  if (at === 0 || Number.isNaN(at) || at > now) return false
  await rm(idleFile(), { force: true })
  return true
}

interface OpenedHome {
  readonly hermes: Hermes
  readonly queue: ReviewOnce
  /** Of the storage, in the order in which they happened. */
  readonly failures: readonly Error[]
}

class HookRun {
  readonly #host: AgentHost
  readonly #call: HookCall
  readonly #queue: ReviewOnce
  readonly #session: Session
  readonly #bookmark: Bookmark | undefined
  readonly #project: string | undefined
  readonly #failures: readonly Error[]

  constructor(host: AgentHost, call: HookCall, bookmark: Bookmark | undefined, home: OpenedHome) {
    this.#host = host
    this.#call = call
    this.#queue = home.queue
    this.#failures = home.failures
    this.#bookmark = bookmark
    // A session stays in the project that it began in, wherever the agent goes.
    this.#project = bookmark ? bookmark.project : projectOf(call.folder)
    this.#session = home.hermes.session(sessionName(host, call.sessionId), { project: this.#project })
    // The catalogue of skills names the tool that reads them.
    this.#session.offerTools()
  }

  /** Returns what the hook prints. */
  async start(): Promise<string> {
    const { isShortened, isNew } = this.#call
    const block = isShortened ? await this.#session.refresh() : await this.#session.systemBlock()
    const known = this.#bookmark
    const now = systemClock()
    const begun = known ?? { since: isNew ? 0 : now - PROMPT_BEFORE_START_MS, end: 0, isUnread: false, recordedUntil: 0 }
    await writeBookmark(this.#session.id, { ...begun, project: this.#project, isShown: true })
    await this.#session.settled()
    if (await wasIdle(now)) this.#queue.due = 'idle'
    const isShown = this.#host.keepsBlock && !isShortened && known?.isShown === true
    return block === '' || isShown ? '' : this.#host.showBlock(block)
  }

  async stop(): Promise<void> {
    await this.#record()
    const { idleAt } = this.#queue
    if (idleAt === undefined) return
    await mkdir(agentsFolder(), { recursive: true, mode: 0o700 })
    await writeFile(idleFile(), String(idleAt), { mode: 0o600 })
  }

  async end(): Promise<void> {
    await this.stop()
    if (!this.#call.isOver) return
    const ended = await this.#session.end()
    if (!ended.ok) throw ended.error
    await removeOldBookmarks(systemClock())
  }

  /** A turn that was interrupted has no stop of its own: it is recorded with the next one, and so is one that could not be saved. */
  async #record(): Promise<void> {
    const conversation = this.#call.rows ?? this.#call.transcript
    if (conversation === undefined) return
    const block = await this.#session.systemBlock()
    const { turns, before, end } = await readNewTurns(this.#host, conversation, this.#bookmark, block)
    for (const [index, { messages, toolIterations, usage }] of turns.entries())
      this.#session.recordTurn({ messages, toolIterations, ...(usage ? { usage } : {}), ...(index === 0 ? { before } : {}) })
    await this.#session.settled()
    const [failure] = this.#failures
    if (failure) throw failure
    const { since, isShown } = this.#bookmark ?? { since: 0, isShown: false }
    const isUnread = turns.length === 0 && before.length > 0
    const recordedUntil = Math.max(this.#bookmark?.recordedUntil ?? 0, ...turns.map(({ at }) => at ?? 0))
    await writeBookmark(this.#session.id, { since, isShown, end, isUnread, project: this.#project, recordedUntil })
  }
}

/** Returns what the hook prints. Rejects with what could not be done, after all else was. `program`: the file of the hook. `storageMs`: see `openHome`. */
export const runHook = async (host: AgentHost, call: HookCall, program: string, storageMs: number): Promise<string> => {
  const failures: Error[] = []
  const onEvent = (event: HermesEvent) => {
    if (event.type === 'storage-failed') failures.push(event.error)
  }
  const queue = new ReviewOnce()
  const hermes = await openHome(host, { queue, onEvent, storageMs })
  const session = sessionName(host, call.sessionId)
  // A session may end while its last turn is still being recorded.
  const lock = call.kind === 'start' ? undefined : recordingFile(session)
  if (lock !== undefined && !(await takeLock(lock, RECORDING_MS, storageMs)))
    throw new Error('Another hook of this session is still recording; the turn is recorded with the next one.')
  const bookmark = await readBookmark(session)
  const run = new HookRun(host, call, bookmark, { hermes, queue, failures })
  let printed = ''
  try {
    if (call.kind === 'start') printed = await run.start()
    else if (call.kind === 'stop') await run.stop()
    else await run.end()
  } finally {
    if (lock !== undefined) await rm(lock, { force: true })
  }
  if (queue.due) await startReview(host, queue.due, program)
  const [failure] = failures
  if (failure) throw failure
  return printed
}
