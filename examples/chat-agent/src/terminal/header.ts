/** What is at the top of a session: model, session, home, and how full the memory is. */
import { homedir } from 'node:os'
import { sep } from 'node:path'
import type { MemoryOverview } from '../memory-overview.ts'
import { type Terminal, tell } from './terminal.ts'
import { counted, gauge } from './text.ts'

export interface HeaderFacts {
  readonly modelLabel: string
  readonly sessionId: string
  readonly home: string
  /** User turns between two reviews; 0 = off. */
  readonly nudge: number
  /** Steps with tools between two skill reviews; 0 = off. */
  readonly skillNudge: number
  readonly skillCount: number
}

const NAME_WIDTH = 8

/** The person's own folder as `~`. */
const shortPath = (path: string): string => (`${path}${sep}`.startsWith(`${homedir()}${sep}`) ? `~${path.slice(homedir().length)}` : path)

/** `memory   ▓▓░░… 12% 264/2,200 · user ▓░░…`, or two lines if one is too narrow. */
const gaugeLine = ({ stores }: MemoryOverview, columns: number): string => {
  const gauges = (padded: number) =>
    stores.map((store, at) => gauge(at < padded ? store.target.padEnd(NAME_WIDTH) : store.target, store.usedChars, store.charLimit))
  const line = gauges(1).join(' · ')
  return [...line].length <= columns ? line : gauges(2).join('\n')
}

/** `every 10 turns and every 10 tool steps`. */
const reviewTimes = ({ nudge, skillNudge }: HeaderFacts): string => {
  const every = (count: number, one: string): string => `every ${count === 1 ? one : counted(count, one)}`
  if (nudge === 0 && skillNudge === 0) return 'off'
  if (skillNudge === 0) return `${every(nudge, 'turn')}, of memory alone`
  if (nudge === 0) return `${every(skillNudge, 'tool step')}, of skills alone`
  return `${every(nudge, 'turn')} and ${every(skillNudge, 'tool step')}`
}

export const printHeader = ({ paint, print, columns }: Terminal, facts: HeaderFacts, overview: MemoryOverview): void => {
  const field = (name: string, value: string): void => print(`${paint.dim(name.padEnd(NAME_WIDTH))} ${value}`)
  print(paint.bold('Hermes chat agent'))
  field('model', facts.modelLabel)
  field('session', facts.sessionId)
  field('home', shortPath(facts.home))
  field('review', reviewTimes(facts))
  if (overview.problems.length === 0) print(gaugeLine(overview, columns))
  else field('memory', paint.red('cannot be read, see below'))
  if (facts.skillCount > 0) field('skills', `${facts.skillCount}, see /skills`)
}

/** Says what the stand-in is and what to try with it. */
export const printScriptedNotice = (terminal: Terminal): void => {
  terminal.print('')
  tell(terminal, 'No model key was found, so a scripted stand-in answers by fixed rules.', '', 'bold')
  tell(terminal, 'Tell it facts, "remember that ...", "what do you know about me?".', '', 'dim')
  tell(terminal, 'Let it "split 84.60 among 4 with a 10% tip", and say "always round up to ...".', '', 'dim')
  terminal.print(terminal.paint.dim('How to use a real model: /help'))
}
