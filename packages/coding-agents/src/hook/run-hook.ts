/** What happens at each event of a coding agent. One process per event, which the agent waits for, so it does as little as possible. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Hermes, type HermesEvent, type Session, systemClock } from '@hermes/core'
import type { AgentHost, HookCall } from '../agent-host.ts'
import { agentsFolder } from '../home-folder.ts'
import { openHome, sessionName } from '../open-home.ts'
import { ReviewOnce } from '../review/review-once.ts'
import { startReview } from '../review/start-review.ts'
import { digestOf, readBookmark, removeOldBookmarks, writeBookmark } from './bookmark.ts'
import { readNewTurns } from './new-turns.ts'

/** Milliseconds by which a prompt may be older than the start of its session: some hosts start the session with the prompt. */
const PROMPT_BEFORE_START_MS = 2_000

const idleFile = (): string => join(agentsFolder(), 'idle-at')

/** Whether the home was left alone for so long that what is unread is reviewed. */
const wasIdle = async (now: number): Promise<boolean> => {
  const at = Number(await readFile(idleFile(), 'utf8').catch(() => ''))
  if (at === 0 || Number.isNaN(at) || at > now) return false
  await rm(idleFile(), { force: true })
  return true
}

class HookRun {
  readonly #host: AgentHost
  readonly #call: HookCall
  readonly #queue: ReviewOnce
  readonly #session: Session

  constructor(host: AgentHost, call: HookCall, hermes: Hermes, queue: ReviewOnce) {
    this.#host = host
    this.#call = call
    this.#queue = queue
    this.#session = hermes.session(sessionName(host, call.sessionId))
  }

  /** Returns what the hook prints. */
  async start(): Promise<string> {
    // The catalogue of skills names the tool that reads them.
    this.#session.offerTools()
    const { isShortened, isNew } = this.#call
    const block = isShortened ? await this.#session.refresh() : await this.#session.systemBlock()
    const known = await readBookmark(this.#session.id)
    const now = systemClock()
    const begun = known ?? { since: isNew ? 0 : now - PROMPT_BEFORE_START_MS, end: 0, isUnread: false }
    await writeBookmark(this.#session.id, { ...begun, block: digestOf(block) })
    await this.#session.settled()
    if (await wasIdle(now)) this.#queue.due = 'idle'
    const isShown = this.#host.keepsBlock && !isShortened && known?.block === digestOf(block)
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

  /** A turn that was interrupted has no stop of its own: it is recorded with the next one. */
  async #record(): Promise<void> {
    const { transcript } = this.#call
    if (transcript === undefined) return
    const bookmark = await readBookmark(this.#session.id)
    const { turns, before, end } = await readNewTurns(this.#host, transcript, bookmark)
    for (const [index, { messages, toolIterations, usage }] of turns.entries())
      this.#session.recordTurn({ messages, toolIterations, ...(usage ? { usage } : {}), ...(index === 0 ? { before } : {}) })
    await this.#session.settled()
    const isUnread = turns.length === 0 && before.length > 0
    await writeBookmark(this.#session.id, { since: bookmark?.since ?? 0, block: bookmark?.block ?? '', end, isUnread })
  }
}

/** Returns what the hook prints. Rejects with what could not be done, after all else was. `program`: the file of the hook. `storageMs`: see `openHome`. */
export const runHook = async (host: AgentHost, call: HookCall, program: string, storageMs: number): Promise<string> => {
  let failure: Error | undefined
  const onEvent = (event: HermesEvent) => {
    if (event.type === 'storage-failed') failure ??= event.error
  }
  const queue = new ReviewOnce()
  const hermes = await openHome(host, { queue, onEvent, storageMs })
  const run = new HookRun(host, call, hermes, queue)
  const printed = call.kind === 'start' ? await run.start() : ''
  if (call.kind === 'stop') await run.stop()
  if (call.kind === 'end') await run.end()
  if (queue.due) await startReview(host, queue.due, program)
  if (failure) throw failure
  return printed
}
