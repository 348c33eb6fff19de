/** Renders the text that a session freezes: memory, the catalogue of skills and the text of the memory provider, within the limit of the block. */
import { type MemoryTarget, targetsOf } from '../memory/memory-op.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { readSharedSection } from '../memory/shared-notes.ts'
import { countCodePoints } from '../shared/code-points.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { renderSkillCatalog } from '../skills/skill-catalog.ts'
import { readSkillRows } from '../skills/skill-row.ts'
import type { Cut } from '../storage/storage-backend.ts'
import { scanThreats } from '../threats/scan.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import type { SessionHome, SessionSkills } from './session-home.ts'
import { withinLimit } from './within-limit.ts'

interface BlockPart {
  /** `''` if there is nothing to show. */
  readonly text: string
  /** A shorter text that says what it leaves out, in at most `maxChars` code points; `''` if that is too little. */
  readonly shorten: (maxChars: number) => string
}

const NOTHING: BlockPart = { text: '', shorten: () => '' }

const GAP = '\n\n'

const join = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(GAP)

/** What each part may use: what it needs, but those that need more than an equal share divide the rest equally. */
const shareRoom = (parts: readonly BlockPart[], room: number): number[] => {
  const sizes = parts.map(({ text }) => countCodePoints(text))
  const shares: number[] = []
  let [rest, waiting] = [room, sizes.length]
  for (const [index, size] of [...sizes.entries()].sort(([, a], [, b]) => a - b)) {
    const share = Math.max(0, Math.min(size, Math.floor(rest / waiting--)))
    shares[index] = share
    rest -= share
  }
  return shares
}

/** The parts, a blank line apart, in at most `maxChars` code points. */
const fitBlock = async (parts: readonly BlockPart[], maxChars: number): Promise<string> => {
  const shown = parts.filter(({ text }) => text !== '')
  const whole = join(shown.map(({ text }) => text))
  if (countCodePoints(whole) <= maxChars) return whole
  const shares = shareRoom(shown, maxChars - GAP.length * (shown.length - 1))
  const texts: string[] = []
  for (const { text, shorten } of shown) {
    const room = shares.shift() ?? 0
    // Each rendering takes a while, and other work runs in between.
    await pause()
    texts.push(countCodePoints(text) <= room ? text : shorten(room))
  }
  return join(texts)
}

interface ReadCatalog {
  readonly part: BlockPart
  /** Skills that could not be read and are left out. */
  readonly problems: readonly HermesError[]
}

/** Reads the skills and renders the catalogue, which follows the memory blocks in the frozen text (seed 001, DESIGN 3). */
const readSkillCatalog = async (
  { reader, catalog }: SessionSkills,
  usage: UsageStore | undefined,
  { toolName, memory, cut }: FreezeOptions,
): Promise<Result<ReadCatalog>> => {
  const listed = await readSkillRows(reader, usage, cut)
  if (!listed.ok) return listed
  const { skills } = listed.value
  // Asked as late as possible, after the host has offered its tools. The catalogue refers to a tool, so there is no catalogue without that tool.
  const [view, list] = [toolName('skill_view'), toolName('skills_list')]
  const isSuspicious = (shown: string) => scanThreats(shown, 'context')
  const render = (charLimit: number): string =>
    view === undefined
      ? ''
      : (renderSkillCatalog(skills, { ...catalog, charLimit, tools: { view, list }, project: memory.project, isSuspicious }) ?? '')
  // The heading of the catalogue may not fit.
  const shorten = (maxChars: number) => firstThatFits(maxChars, render(maxChars), `[${skills.length} skills left out: no room]`)
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

interface Team {
  readonly part: BlockPart
  /** False if a storage could not be read. */
  readonly complete: boolean
  readonly oldAt: number | undefined
}

/** The notes that a team shares: the session begins without those that cannot be read. */
const teamOf = async (
  { sharedMemory, clock }: Pick<SessionHome, 'sharedMemory' | 'clock'>,
  { memory, skillsLimitMs, onFailure }: FreezeOptions,
): Promise<Team> => {
  if (!sharedMemory || sharedMemory.shared.length === 0 || sharedMemory.sharedCharLimit === 0)
    return { part: NOTHING, complete: true, oldAt: undefined }
  const inTime = <T>(work: Promise<T>) => withinLimit(work, skillsLimitMs)
  const { render, problems, oldAt } = await readSharedSection(sharedMemory, { clock, zone: () => memory.timeZone, inTime })
  for (const problem of problems) onFailure('load shared notes', problem)
  const shown = (maxChars: number) => render(maxChars) ?? ''
  return { part: { text: shown(sharedMemory.sharedCharLimit), shorten: shown }, complete: problems.length === 0, oldAt }
}

/** For the line that says how many skills are left out. */
const NOTE_CHARS = 40

/** The text for the system prompt: the frozen blocks of the stores, then the catalogue of skills, then the text of the memory provider. */
export const renderSystemBlock = async (
  store: Pick<MemoryStore, 'renderSnapshot' | 'maxBlockChars'> & Partial<Pick<MemoryStore, 'project' | 'profile'>>,
  catalog: BlockPart,
  providerBlock: string,
  maxChars: number = store.maxBlockChars,
  shared: BlockPart = NOTHING,
): Promise<string> => {
  const memory = [...targetsOf(store).map((target) => memoryPart(store, target)), shared]
  const provider = providerPart(providerBlock)
  if (maxChars >= store.maxBlockChars) return fitBlock([...memory, catalog, provider], store.maxBlockChars)
  // What is left for the catalogue once everything else is shown whole.
  const rest = [...memory, provider].map(({ text }) => text).filter((text) => text !== '')
  const room = maxChars - countCodePoints(rest.join(GAP)) - (rest.length > 0 ? GAP.length : 0)
  await pause()
  const fitted = countCodePoints(catalog.text) <= room ? catalog.text : catalog.shorten(Math.max(NOTE_CHARS, room))
  return fitBlock([...memory, { text: fitted, shorten: () => '' }, provider], maxChars)
}

export interface FrozenText {
  readonly text: string
  /** False if a part could not be read. */
  readonly complete: boolean
  /** True if a later start may take the text as it is: nothing was reported that a start has to report. */
  readonly isStorable: boolean
  /** Epoch milliseconds from which the same stores give another text. */
  readonly oldAt?: number | undefined
}

interface FreezeOptions {
  readonly memory: MemoryStore
  /** See `BlockOptions`. */
  readonly maxChars?: number | undefined
  /** The name under which the agent calls this tool; undefined if it is not offered. */
  readonly toolName: (tool: string) => string | undefined
  /** Time limit in milliseconds for reading skills, so that slow skills do not delay memory. */
  readonly skillsLimitMs: number
  readonly onFailure: (operation: string, error: HermesError) => void
  /** Names all that `BlockView.paths` can name. Undefined: everything is read. */
  readonly cut?: Cut | undefined
}

/** Maximum number of broken skills reported at once; the list of skills names all of them. */
const MAX_TOLD = 10

const tooSlow = (limitMs: number): HermesError =>
  new HermesError('timeout', `The skills could not be listed within ${limitMs} ms; the session goes on without their catalogue.`)

interface Catalog {
  readonly part: BlockPart
  /** False if it could not be read. */
  readonly complete: boolean
}

const catalogOf = async (skills: SessionSkills | undefined, usage: UsageStore | undefined, options: FreezeOptions): Promise<Catalog> => {
  const { skillsLimitMs, onFailure } = options
  if (!skills) return { part: NOTHING, complete: true }
  const read = await withinLimit(readSkillCatalog(skills, usage, options), skillsLimitMs)
  if (!read?.ok) {
    onFailure('load skills', read?.error ?? tooSlow(skillsLimitMs))
    return { part: NOTHING, complete: false }
  }
  for (const problem of read.value.problems.slice(0, MAX_TOLD)) onFailure('load skills', problem)
  return { part: read.value.part, complete: true }
}

/** Loads memory and skills, and renders the text to be frozen. If one of them cannot be read, the other still works. */
export const freezeBlock = async (
  home: Pick<SessionHome, 'skills' | 'provider' | 'sharedMemory' | 'clock'>,
  options: FreezeOptions,
): Promise<FrozenText> => {
  const { skills, provider } = home
  const { memory } = options
  let isStorable = true
  const onFailure: FreezeOptions['onFailure'] = (operation, error) => {
    isStorable = false
    options.onFailure(operation, error)
  }
  const usage = skills?.createUsageStore((error) => onFailure('skill usage', error))
  const [loaded, catalog, team] = await Promise.all([
    memory.load(options.cut),
    catalogOf(skills, usage, { ...options, onFailure }),
    teamOf(home, { ...options, onFailure }),
  ])
  if (!loaded.ok) onFailure('load memory', loaded.error)
  const complete = catalog.complete && team.complete && memory.loadProblems().length === 0
  const text = await renderSystemBlock(memory, catalog.part, provider?.promptBlock(memory.project) ?? '', options.maxChars, team.part)
  const changes = [memory.blockOldAt, team.oldAt].filter((at) => at !== undefined)
  const oldAt = changes.length > 0 ? Math.min(...changes) : undefined
  // An empty home needs no document. While entries are over that nobody has archived yet, each start looks for them.
  return { text, complete, isStorable: isStorable && complete && text !== '' && !memory.hasExpired, oldAt }
}
