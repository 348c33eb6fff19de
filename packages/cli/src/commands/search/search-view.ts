/** Shows hits grouped by place, with the words marked. */
import { oneLine } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/field-list.ts'
import { relativeTime } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/text-width.ts'
import type { Hit, Hits } from './excerpt.ts'
import type { Range, WordMatcher } from './match-words.ts'
import type { Place } from './places.ts'

export interface Group extends Hits {
  readonly place: Place
}

const TITLES: Readonly<Record<Place, string>> = {
  memory: 'Memory',
  archive: 'Archive of memory',
  journal: 'Journal',
  skills: 'Skills',
  sessions: 'Past sessions',
}

const INDENT = 4

const surround = (text: string, ranges: readonly Range[], mark: (text: string) => string): string => {
  let at = 0
  let marked = ''
  for (const [start, end] of ranges) {
    marked += text.slice(at, start) + mark(text.slice(start, end))
    at = end
  }
  return marked + text.slice(at)
}

/** Colours are added after wrapping, since they take no cells; asterisks before, since they do. */
const renderExcerpt = ({ text, matches }: Hit, matcher: WordMatcher, { columns, paint }: Terminal): string => {
  const margin = ' '.repeat(INDENT)
  if (paint.bold('x') === 'x')
    return `${margin}${wrapText(
      surround(text, matches, (word) => `*${word}*`),
      columns,
      INDENT,
    )}\n`
  const lines = wrapText(text, columns, INDENT).split('\n')
  return `${margin}${lines.map((line) => surround(line, matcher.mark(line), (word) => paint.bold(paint.yellow(word)))).join('\n')}\n`
}

const renderHit = (hit: Hit, matcher: WordMatcher, now: number, terminal: Terminal): string => {
  const { columns, paint } = terminal
  const when = hit.at === 0 ? '' : `  ${relativeTime(hit.at, now)}`
  const head = wrapText(`${oneLine(hit.id)}  ${oneLine(hit.title)}${when}`, columns, INDENT)
  const command = wrapText(oneLine(hit.command), columns, INDENT)
  return `  ${head}\n${renderExcerpt(hit, matcher, terminal)}${paint.dim(`    ${command}`)}\n`
}

const renderGroup = ({ place, hits, more }: Group, matcher: WordMatcher, now: number, terminal: Terminal): string => {
  const count = `${hits.length}${more ? ' of more' : ''}`
  const shown = hits.map((hit) => renderHit(hit, matcher, now, terminal)).join('')
  return `${terminal.paint.bold(TITLES[place])}  ${terminal.paint.dim(count)}\n${shown}`
}

/** `elsewhere`: what was not searched. */
export const renderGroups = (
  groups: readonly Group[],
  { matcher, now, elsewhere }: { readonly matcher: WordMatcher; readonly now: number; readonly elsewhere: string },
  terminal: Terminal,
): string => {
  const found = groups.filter(({ hits }) => hits.length > 0)
  const rest = elsewhere === '' ? '' : hint(elsewhere, terminal)
  if (found.length === 0) {
    const all = matcher.words.length > 1 ? 'all of these words' : 'this word'
    return hint(`Nothing contains ${all}. Try fewer or shorter words.`, terminal) + rest
  }
  const more = found.some((group) => group.more) ? hint('There is more: --limit shows it, --in searches one place.', terminal) : ''
  return `${found.map((group) => renderGroup(group, matcher, now, terminal)).join('\n')}${more + rest === '' ? '' : '\n'}${more}${rest}`
}
