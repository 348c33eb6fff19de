/** Reads a session's record and frozen text on first use. Storage that fails or hangs must not delay the turn. */

import type { MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { countCodePoints } from '../shared/code-points.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { renderSkillCatalog } from '../skills/skill-catalog.ts'
import type { SkillReader } from '../skills/skill-reader.ts'
import { scanThreats } from '../threats/scan.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import { type BlockPart, fitBlock } from './fit-block.ts'
import type { LoadedRecord } from './load-record.ts'
import { type SessionSkills, stateOfPresent } from './session-deps.ts'
import type { OwnedSession } from './session-handles.ts'
import type { SessionStore } from './session-store.ts'
import { withinLimit } from './within-limit.ts'

interface ReadCatalog {
  readonly part: BlockPart
  /** Skills that could not be read and are left out. */
  readonly problems: readonly HermesError[]
}

interface CatalogSource extends Pick<SessionSkills, 'catalog'> {
  readonly reader: SkillReader
  readonly usage: UsageStore
  /** The name under which the agent calls this tool; undefined if it is not offered. */
  readonly toolName: (tool: string) => string | undefined
}

/** Reads the skills and renders the catalogue, which follows the memory blocks in the frozen text (seed 001, DESIGN 3). */
const readSkillCatalog = async ({ reader, usage, catalog, toolName }: CatalogSource): Promise<Result<ReadCatalog>> => {
  const [listed, records] = await Promise.all([reader.list(), usage.all()])
  if (!listed.ok) return listed
  const entries = listed.value.skills.map(({ name, description, category, path, sharedFrom }) => {
    const shared = sharedFrom !== undefined
    // A usage record of that name belongs to an archived skill of this home, not to the shared skill.
    const record = shared ? undefined : records.get(name)
    return {
      name,
      description,
      category,
      path,
      state: stateOfPresent(record),
      lastActivityAt: record?.lastActivityAt ?? 0,
      pinned: record?.pinned ?? false,
      shared,
    }
  })
  // Asked as late as possible, after the host has offered its tools. The catalogue refers to a tool, so there is no catalogue without that tool.
  const [view, list] = [toolName('skill_view'), toolName('skills_list')]
  const isSuspicious = (shown: string) => scanThreats(shown, 'context')
  const render = (charLimit: number): string =>
    view === undefined ? '' : (renderSkillCatalog(entries, { ...catalog, charLimit, tools: { view, list }, isSuspicious }) ?? '')
  // The heading of the catalogue may not fit.
  const shorten = (maxChars: number) => firstThatFits(maxChars, render(maxChars), `[${entries.length} skills left out: no room]`)
  const problems = listed.value.problems.filter(({ code }) => code === 'unreadable')
  return ok({ part: { text: render(catalog.charLimit), shorten }, problems })
}

const firstThatFits = (maxChars: number, ...texts: readonly string[]): string =>
  texts.find((text) => countCodePoints(text) <= maxChars) ?? ''

const memoryPart = (store: Pick<MemoryStore, 'renderSnapshot'>, target: MemoryTarget): BlockPart => ({
  text: store.renderSnapshot(target) ?? '',
  shorten: (maxChars) => store.renderSnapshot(target, maxChars) ?? '',
})

const providerPart = (text: string): BlockPart => ({
  text,
  shorten: (maxChars) => firstThatFits(maxChars, '[memory provider left out: no room]'),
})

/** The text for the system prompt: the frozen blocks of both stores, then the catalogue of skills, then the text of the memory provider. */
export const renderSystemBlock = (
  store: Pick<MemoryStore, 'renderSnapshot' | 'maxBlockChars'>,
  catalog: BlockPart,
  providerBlock: string,
): Promise<string> =>
  fitBlock([memoryPart(store, 'memory'), memoryPart(store, 'user'), catalog, providerPart(providerBlock)], store.maxBlockChars)

interface FrozenText {
  readonly text: string
  /** False if a part could not be read. */
  readonly complete: boolean
}

interface FreezeDeps {
  readonly memory: MemoryStore
  /** Undefined if skills are switched off. */
  readonly skills: CatalogSource | undefined
  /** Time limit in milliseconds for reading skills, so that slow skills do not delay memory. */
  readonly skillsLimitMs: number
  /** Of the memory provider; `''` if there is none. */
  readonly providerBlock: string
  readonly onFailure: (operation: string, error: HermesError) => void
}

/** Maximum number of broken skills reported at once; the list of skills names all of them. */
const MAX_TOLD = 10

const tooSlow = (limitMs: number): HermesError =>
  new HermesError('timeout', `The skills could not be listed within ${limitMs} ms; the session goes on without their catalogue.`)

const NO_CATALOG: BlockPart = { text: '', shorten: () => '' }

interface Catalog {
  readonly part: BlockPart
  /** False if it could not be read. */
  readonly complete: boolean
}

const catalogOf = async ({ skills, skillsLimitMs, onFailure }: FreezeDeps): Promise<Catalog> => {
  if (!skills) return { part: NO_CATALOG, complete: true }
  const read = await withinLimit(readSkillCatalog(skills), skillsLimitMs)
  if (!read?.ok) {
    onFailure('load skills', read?.error ?? tooSlow(skillsLimitMs))
    return { part: NO_CATALOG, complete: false }
  }
  for (const problem of read.value.problems.slice(0, MAX_TOLD)) onFailure('load skills', problem)
  return { part: read.value.part, complete: true }
}

/** Loads memory and skills, and renders the text to be frozen. If one of them cannot be read, the other still works. */
export const freezeBlock = async (deps: FreezeDeps): Promise<FrozenText> => {
  const { memory, onFailure } = deps
  const [loaded, catalog] = await Promise.all([memory.load(), catalogOf(deps)])
  if (!loaded.ok) onFailure('load memory', loaded.error)
  return {
    text: await renderSystemBlock(memory, catalog.part, deps.providerBlock),
    complete: catalog.complete && memory.loadProblems().length === 0,
  }
}

export interface OpenSessionDeps {
  readonly load: () => Promise<LoadedRecord>
  readonly create: (loaded: LoadedRecord) => SessionStore
  readonly freeze: () => Promise<FrozenText>
  /** Called once. */
  readonly onOpened: (store: SessionStore, loaded: LoadedRecord) => void
  /** Called whenever the text was frozen anew. */
  readonly onRefreshed: () => void
  readonly inTime: <T>(operation: string, work: Promise<T>) => Promise<T | undefined>
  readonly tasks: Pick<BackgroundTasks, 'run'>
  readonly failed: (operation: string, error: HermesError) => void
}

export interface OpenSession extends Pick<OwnedSession, 'systemBlock' | 'refresh' | 'forget' | 'redact'> {
  /** Opens the session on the first call. */
  ready(): Promise<SessionStore>
  /** Undefined until the session is open. */
  readonly store: SessionStore | undefined
  /** The open session; undefined if its prompts are sent without memory. Waits as long as `systemBlock()`. */
  whenOpen(): Promise<SessionStore | undefined>
  /** Runs at once if the session is open, so that a fast model cannot overtake the count; otherwise behind the turn, in order. */
  whenReady(count: (store: SessionStore) => void): void
}

export const openSession = (deps: OpenSessionDeps): OpenSession => {
  const { inTime, tasks } = deps
  let opening: Promise<SessionStore> | undefined
  let store: SessionStore | undefined
  // If the first prompt went out without the block, later ones omit it too: the prefix must not change.
  let startedBlank = false
  let isShown = false

  const open = async (): Promise<SessionStore> => {
    const loaded = await deps.load()
    const { problem } = loaded
    if (problem) deps.failed('load session', problem)
    // An invalid record was moved aside. Any other problem may pass, and the prompt must not change when it does.
    startedBlank = problem !== undefined && problem.code !== 'unreadable'
    store = deps.create(loaded)
    deps.onOpened(store, loaded)
    return store
  }
  const ready = (): Promise<SessionStore> => {
    opening ??= open()
    return opening
  }
  // All who wait share one limit, and one event: after it, the session is open or runs without its text.
  let waiting: Promise<SessionStore | undefined> | undefined
  const openInTime = (): Promise<SessionStore | undefined> => {
    waiting ??= inTime('load session', ready())
    return waiting
  }
  const whenOpen = async (): Promise<SessionStore | undefined> => {
    if (startedBlank) return undefined
    const opened = store ?? (await openInTime())
    startedBlank ||= opened === undefined
    return startedBlank ? undefined : opened
  }
  const blockOf = (opened: SessionStore | undefined): string => (startedBlank ? '' : (opened?.block ?? ''))

  return {
    ready,
    get store() {
      return store
    },
    whenReady(count) {
      if (store) count(store)
      else tasks.run(async () => count(await ready()))
    },
    whenOpen,
    async systemBlock() {
      const block = blockOf(await whenOpen())
      isShown = true
      return block
    },
    async refresh() {
      const opened = store ?? (await inTime('refresh session', ready()))
      const fresh = opened && (await inTime('refresh session', deps.freeze()))
      if (!opened || !fresh?.complete) return blockOf(opened)
      const shown = isShown ? blockOf(opened) : undefined
      startedBlank = false
      opened.replaceBlock(fresh.text, shown)
      deps.onRefreshed()
      return fresh.text
    },
    async forget() {
      startedBlank = true
      // A session that could not be opened has nothing to forget.
      await (await opening?.catch(() => undefined))?.forget()
    },
    async redact(redaction) {
      ;(await opening)?.redact(redaction)
    },
  }
}
