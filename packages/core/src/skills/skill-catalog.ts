/** The list of skills in the agent's system prompt: a name and a line each, within a budget (seed 001, DESIGN 3). Pure. */

import { byCodeUnit } from '../storage/document-tree.ts'
import { blockHeading } from '../text/block-heading.ts'
import {
  type CatalogEntry,
  type CatalogLine,
  countChars,
  type IsSuspicious,
  renderCatalogLine,
  toCatalogLine,
  toLine,
} from './catalog-entry.ts'
import { DEFAULT_CATALOG_CHAR_LIMIT } from './catalog-limit.ts'

/** What is stale comes after what is active, and what fails after both. */
const isStale = ({ state, failing }: CatalogEntry): number => (failing ? 2 : state === 'stale' ? 1 : 0)

const byPlace = (a: CatalogEntry, b: CatalogEntry): number =>
  byCodeUnit(a.category ?? '', b.category ?? '') ||
  byCodeUnit(a.name, b.name) ||
  byCodeUnit(a.path ?? '', b.path ?? '') ||
  byCodeUnit(a.description, b.description)

/** Compares for the session of a project: what was learned in it comes first. */
type Order = (a: CatalogEntry, b: CatalogEntry) => number

const byProject =
  (project: string | undefined): Order =>
  (a, b) =>
    project === undefined ? 0 : Number(b.project === project) - Number(a.project === project)

/** Failing skills last, stale ones before them; then by category and name. */
const byCatalogOrder =
  (project: string | undefined): Order =>
  (a, b) =>
    byProject(project)(a, b) || isStale(a) - isStale(b) || byPlace(a, b)

/** Priority for the budget: pinned before others, active before stale, then the most recently active. */
const byWorth =
  (project: string | undefined): Order =>
  (a, b) =>
    byProject(project)(a, b) ||
    Number(b.pinned) - Number(a.pinned) ||
    isStale(a) - isStale(b) ||
    b.lastActivityAt - a.lastActivityAt ||
    byPlace(a, b)

/** Names that several skills have, in front matter or as a folder. */
const sharedNamesOf = (entries: readonly CatalogEntry[]): ReadonlySet<string> => {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { name, path } of entries) {
    for (const answer of new Set([name, ...(path === undefined ? [] : [path.slice(path.lastIndexOf('/') + 1)])])) {
      if (seen.has(answer)) shared.add(answer)
      seen.add(answer)
    }
  }
  return shared
}

/** Descriptions are not cut below this before they are dropped. Code points. */
const MIN_DESCRIPTION_CHARS = 60
const MAX_DESCRIPTION_CHARS = 1_024

interface CatalogTools {
  /** The tool that loads a skill. */
  readonly view: string
  /** The tool that lists all skills; undefined if the agent has none. */
  readonly list: string | undefined
}

export interface SkillCatalogOptions {
  /** Code points, the heading included; a limit below the heading's length counts as that length. 0: no catalogue. Default 8,000. */
  readonly charLimit?: number | undefined
  /** Stale skills: last and marked (default), or hidden. */
  readonly stale?: 'mark' | 'hide' | undefined
  /** The tools' names as the agent sees them. Default: `skill_view` and `skills_list`, both offered. */
  readonly tools?: CatalogTools | undefined
  /** The project of the session: skills that were learned in it come first. Default: none. */
  readonly project?: string | undefined
  /** Called with each text to be shown; a text with findings is replaced by a notice. Default: no text is suspicious. */
  readonly isSuspicious?: IsSuspicious | undefined
}

const TOOLS: CatalogTools = { view: 'skill_view', list: 'skills_list' }

const headingOf = ({ view }: CatalogTools): string => `${blockHeading('SKILLS (instructions kept from earlier work)')}
Before you do a task that one of these skills covers, load it with the tool ${view} and follow what it says; the words before the colon are the name to pass. The lines below only say what each skill is for.`

const STALE_HINT = 'Skills marked (stale) were not used for a long time: check that they still hold.'
const FAILING_HINT = 'Skills marked (failing) led to errors again and again: check each step, and tell the user.'

const namesOnlyLine = ({ view }: CatalogTools): string => `Names only, as the limit of this list is reached; ${view} shows what one is for:`

const SHARED_HEADING =
  'SHARED SKILLS (read-only, loaded like the others; to change one, create a skill of its name, which then takes its place):'

const moreLine = (hidden: number, { list }: CatalogTools, kind = 'skill'): string => {
  const more = hidden === 1 ? `1 more ${kind} is not shown here` : `${hidden} more ${kind}s are not shown here`
  return list === undefined ? `${more}.` : `${more}; ${list} shows all.`
}

const sectionOf = ({ category, state }: CatalogEntry, isOfProject: boolean, isSuspicious: IsSuspicious): string => {
  const mark = `${isOfProject ? ' (learned in this project)' : ''}${state === 'stale' ? ' (stale)' : ''}`
  const title = category === undefined ? '' : toLine(category)
  if (title === '') return `without category${mark}:`
  return isSuspicious(title).length > 0 ? `[BLOCKED: the name of a category]${mark}:` : `${title}${mark}:`
}

interface Parts {
  /** With descriptions, in any order. */
  readonly described: readonly CatalogLine[]
  /** By name alone, in any order. */
  readonly named: readonly CatalogLine[]
  /** Number of skills not shown. */
  readonly hidden: number
}

const inCatalogOrder = (lines: readonly CatalogLine[], project: string | undefined): readonly CatalogLine[] =>
  [...lines].sort((a, b) => byCatalogOrder(project)(a.entry, b.entry))

/** Shared by the texts of one catalogue. */
interface Frame {
  readonly tools: CatalogTools
  readonly isSuspicious: IsSuspicious
  /** Names that several skills have. */
  readonly ambiguous: ReadonlySet<string>
  readonly project: string | undefined
}

const assemble = ({ described, named, hidden }: Parts, heading: string, chars: number, { tools, isSuspicious, project }: Frame): string => {
  const isOfProject = (entry: CatalogEntry) => project !== undefined && entry.project === project
  const rows: string[] = []
  let current: CatalogEntry | undefined
  for (const line of inCatalogOrder(described, project)) {
    const { entry } = line
    const isNew = !current || current.category !== entry.category || current.state !== entry.state
    if (isNew || (current && isOfProject(current) !== isOfProject(entry))) rows.push('', sectionOf(entry, isOfProject(entry), isSuspicious))
    rows.push(renderCatalogLine(line, chars, isSuspicious))
    current = entry
  }
  if (named.length > 0) {
    const names = inCatalogOrder(named, project).map((line) => renderCatalogLine({ ...line, description: '' }, chars, isSuspicious))
    rows.push('', namesOnlyLine(tools), ...names)
  }
  const has = (isMarked: (entry: CatalogEntry) => boolean) => [...described, ...named].some(({ entry }) => isMarked(entry))
  const stale = has(({ state }) => state === 'stale') ? ` ${STALE_HINT}` : ''
  const hint = has(({ failing }) => failing === true) ? `${stale} ${FAILING_HINT}` : stale
  return [`${heading}${hint}`, ...rows, ...(hidden > 0 ? ['', moreLine(hidden, tools)] : [])].join('\n')
}

/** The largest number in the range that fits, by binary search; `undefined` if none fits. */
const largestThatFits = (from: number, to: number, fits: (value: number) => boolean): number | undefined => {
  if (to < from || !fits(from)) return undefined
  let [fitting, beyond] = [from, to + 1]
  while (beyond - fitting > 1) {
    const middle = Math.floor((fitting + beyond) / 2)
    if (fits(middle)) fitting = middle
    else beyond = middle
  }
  return fitting
}

/** The minimum length of a notice in place of a line. Code points. */
const NOTICE_CHARS = 100

/** As many skills as could fit by name alone, so that the rest of a large library is neither rendered nor scanned. */
const toLines = (
  entries: readonly CatalogEntry[],
  isShared: (entry: CatalogEntry) => boolean,
  charLimit: number,
): readonly CatalogLine[] => {
  const lines: CatalogLine[] = []
  let room = charLimit
  for (const entry of entries) {
    const line = toCatalogLine(entry, isShared(entry))
    room -= Math.min(NOTICE_CHARS, countChars(renderCatalogLine({ ...line, description: '' }, 0, () => []))) + 1
    if (room < 0) break
    lines.push(line)
  }
  return lines
}

/** Scans each text only once. */
const remembering = (isSuspicious: IsSuspicious): IsSuspicious => {
  const answers = new Map<string, readonly string[]>()
  return (text) => {
    const answer = answers.get(text) ?? isSuspicious(text)
    answers.set(text, answer)
    return answer
  }
}

/** As many skills as fit into `charLimit` code points; if not even the heading fits, the heading and their number. */
const renderPart = (entries: readonly CatalogEntry[], heading: string, charLimit: number, frame: Frame): string => {
  const shown = [...entries].sort(byWorth(frame.project))
  const lines = toLines(shown, (entry) => frame.ambiguous.has(entry.name), charLimit)
  const textOf = (described: number, named: number, chars: number) =>
    assemble(
      { described: lines.slice(0, described), named: lines.slice(described, described + named), hidden: shown.length - described - named },
      heading,
      chars,
      frame,
    )
  const fits = (text: string) => countChars(text) <= charLimit

  const all = lines.length
  if (all === shown.length) {
    const chars = largestThatFits(MIN_DESCRIPTION_CHARS, MAX_DESCRIPTION_CHARS, (each) => fits(textOf(all, 0, each)))
    if (chars !== undefined) return textOf(all, 0, chars)
    const described = largestThatFits(0, all - 1, (count) => fits(textOf(count, all - count, MIN_DESCRIPTION_CHARS)))
    if (described !== undefined) return textOf(described, all - described, MIN_DESCRIPTION_CHARS)
  }
  const named = largestThatFits(0, Math.min(all, shown.length - 1), (count) => fits(textOf(0, count, MIN_DESCRIPTION_CHARS))) ?? 0
  return textOf(0, named, MIN_DESCRIPTION_CHARS)
}

/** Shared skills in the remaining room; if that is too little, their number or nothing. */
const renderShared = (entries: readonly CatalogEntry[], room: number, frame: Frame): string => {
  const text = renderPart(entries, SHARED_HEADING, room, frame)
  if (countChars(text) <= room) return text
  const number = moreLine(entries.length, frame.tools, 'shared skill')
  return countChars(number) <= room ? number : ''
}

/**
 * `undefined` if there is nothing to show. The text does not depend on the order of the entries. Over the
 * limit, descriptions are cut first; then skills keep only their names, least recently active first (stale ones sooner, pinned ones
 * last); then, without any description left, skills are only counted. Shared skills get the remaining room.
 */
export const renderSkillCatalog = (entries: readonly CatalogEntry[], options: SkillCatalogOptions = {}): string | undefined => {
  const { charLimit = DEFAULT_CATALOG_CHAR_LIMIT, stale = 'mark', tools = TOOLS, project, isSuspicious = () => [] } = options
  if (!(charLimit >= 0)) throw new TypeError(`The catalogue's charLimit must be a number of characters, 0 or more, but is ${charLimit}.`)
  const shown = entries.filter(({ state }) => stale === 'mark' || state !== 'stale')
  if (shown.length === 0 || charLimit === 0) return undefined
  const frame: Frame = { tools, isSuspicious: remembering(isSuspicious), ambiguous: sharedNamesOf(entries), project }
  const own = shown.filter(({ shared = false }) => !shared)
  const others = shown.filter(({ shared = false }) => shared)
  const heading = headingOf(tools)
  const ownText = own.length === 0 ? heading : renderPart(own, heading, charLimit, frame)
  const sharedText = others.length === 0 ? '' : renderShared(others, charLimit - countChars(ownText) - 2, frame)
  if (sharedText !== '') return `${ownText}\n\n${sharedText}`
  return own.length === 0 ? renderPart(others, heading, 0, frame) : ownText
}
