/** The skills as the agent reads them in its system prompt: a name and a line each, within a budget (seed 001, DESIGN 3). Pure. */
import {
  type CatalogEntry,
  type CatalogLine,
  countChars,
  type IsSuspicious,
  renderCatalogLine,
  toCatalogLine,
  toLine,
} from './catalog-entry.ts'
import { byCatalogOrder, byWorth, sharedNamesOf } from './catalog-order.ts'

/** Code points, for the whole text; about 2,000 tokens. */
export const DEFAULT_CATALOG_CHAR_LIMIT = 8_000

/** Descriptions are not cut below this before whole lines fall away. Code points. */
const MIN_DESCRIPTION_CHARS = 60
const MAX_DESCRIPTION_CHARS = 1_024

export interface CatalogTools {
  /** Loads a skill. */
  readonly view: string
  /** Lists all of them. */
  readonly list: string
}

export interface SkillCatalogOptions {
  /** Code points, the heading included; what is less than the heading counts as the heading. 0: no catalogue. Default 8,000. */
  readonly charLimit?: number | undefined
  /** Stale skills: last and marked (default), or not at all. */
  readonly stale?: 'mark' | 'hide' | undefined
  /** What the agent has to call its tools. Default: `skill_view` and `skills_list`. */
  readonly tools?: CatalogTools | undefined
  /** Asked of each text that would be shown; what it names is replaced by a notice. Default: nothing is suspicious. */
  readonly isSuspicious?: IsSuspicious | undefined
}

const TOOLS: CatalogTools = { view: 'skill_view', list: 'skills_list' }

const RULE = '═'.repeat(46)

const headingOf = ({ view }: CatalogTools): string => `${RULE}
SKILLS (instructions kept from earlier work)
${RULE}
Before you do a task that one of these skills covers, load it with the tool ${view} and follow what it says; the words before the colon are the name to pass. The lines below only say what each skill is for.`

const STALE_HINT = 'Skills marked (stale) were not used for a long time: check that they still hold.'

const moreLine = (hidden: number, { list }: CatalogTools): string =>
  hidden === 1 ? `1 more skill is not shown here; ${list} shows all.` : `${hidden} more skills are not shown here; ${list} shows all.`

const sectionOf = ({ category, state }: CatalogEntry, isSuspicious: IsSuspicious): string => {
  const mark = state === 'stale' ? ' (stale)' : ''
  const title = category === undefined ? '' : toLine(category)
  if (title === '') return `without category${mark}:`
  return isSuspicious(title).length > 0 ? `[BLOCKED: the name of a category]${mark}:` : `${title}${mark}:`
}

/** `lines` in any order. */
const assemble = (
  lines: readonly CatalogLine[],
  hidden: number,
  tools: CatalogTools,
  renderLine: (line: CatalogLine) => string,
  section: (entry: CatalogEntry) => string,
): string => {
  const rows: string[] = []
  let current: CatalogEntry | undefined
  for (const line of [...lines].sort((a, b) => byCatalogOrder(a.entry, b.entry))) {
    const { entry } = line
    if (!current || current.category !== entry.category || current.state !== entry.state) rows.push('', section(entry))
    rows.push(renderLine(line))
    current = entry
  }
  const hint = lines.some(({ entry }) => entry.state === 'stale') ? ` ${STALE_HINT}` : ''
  return [`${headingOf(tools)}${hint}`, ...rows, ...(hidden > 0 ? ['', moreLine(hidden, tools)] : [])].join('\n')
}

/** The largest number in the range that fits, where smaller ones fit better; `undefined` where none does. */
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

/** A notice in the place of a line is longer than this. Code points. */
const NOTICE_CHARS = 100

/** As many as could fit at best, so that in a large library the rest is neither made into lines nor scanned. */
const toLines = (
  entries: readonly CatalogEntry[],
  isShared: (entry: CatalogEntry) => boolean,
  charLimit: number,
): readonly CatalogLine[] => {
  const lines: CatalogLine[] = []
  let room = charLimit
  for (const entry of entries) {
    const line = toCatalogLine(entry, isShared(entry))
    room -= Math.min(NOTICE_CHARS, countChars(renderCatalogLine(line, MIN_DESCRIPTION_CHARS, () => []))) + 1
    if (room < 0) break
    lines.push(line)
  }
  return lines
}

/** Each text is scanned once, however often it is tried for size. */
const remembering = (isSuspicious: IsSuspicious): IsSuspicious => {
  const answers = new Map<string, readonly string[]>()
  return (text) => {
    const answer = answers.get(text) ?? isSuspicious(text)
    answers.set(text, answer)
    return answer
  }
}

/**
 * `undefined` where there is nothing to show. The same entries give the same text, whatever their order. Archived skills are never in
 * it. Over the limit descriptions are cut first, then the skills least recently active fall away, stale ones sooner and pinned ones last.
 */
export const renderSkillCatalog = (entries: readonly CatalogEntry[], options: SkillCatalogOptions = {}): string | undefined => {
  const { charLimit = DEFAULT_CATALOG_CHAR_LIMIT, stale = 'mark', tools = TOOLS, isSuspicious = () => [] } = options
  if (!(charLimit >= 0)) throw new TypeError(`The catalogue's charLimit must be a number of characters, 0 or more, but is ${charLimit}.`)
  const living = entries.filter(({ state }) => state !== 'archived')
  const shared = sharedNamesOf(living)
  const shown = living.filter(({ state }) => stale === 'mark' || state !== 'stale').sort(byWorth)
  if (shown.length === 0 || charLimit === 0) return undefined
  const lines = toLines(shown, (entry) => shared.has(entry.name), charLimit)

  const scan = remembering(isSuspicious)
  const textOf = (kept: number, chars: number) =>
    assemble(
      lines.slice(0, kept),
      shown.length - kept,
      tools,
      (line) => renderCatalogLine(line, chars, scan),
      (entry) => sectionOf(entry, scan),
    )
  const fits = (text: string) => countChars(text) <= charLimit

  const isWhole = lines.length === shown.length
  const chars = isWhole
    ? largestThatFits(MIN_DESCRIPTION_CHARS, MAX_DESCRIPTION_CHARS, (each) => fits(textOf(lines.length, each)))
    : undefined
  if (chars !== undefined) return textOf(lines.length, chars)
  const most = isWhole ? lines.length - 1 : lines.length
  return textOf(largestThatFits(0, most, (count) => fits(textOf(count, MIN_DESCRIPTION_CHARS))) ?? 0, MIN_DESCRIPTION_CHARS)
}
