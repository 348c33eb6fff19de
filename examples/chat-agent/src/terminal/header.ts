/** What stands at the top of a session: model, session, home, and how full the memory is. */
import { homedir } from 'node:os'
import { sep } from 'node:path'
import type { MemoryOverview } from '../agent/memory-overview.ts'
import { gauge } from './gauge.ts'
import type { Terminal } from './terminal.ts'

export interface HeaderFacts {
  readonly modelLabel: string
  readonly sessionId: string
  readonly home: string
  /** User turns between two reviews; 0 = off. */
  readonly nudge: number
}

const NAME_WIDTH = 8

/** The person's own folder as `~`. */
const shortPath = (path: string): string => (`${path}${sep}`.startsWith(`${homedir()}${sep}`) ? `~${path.slice(homedir().length)}` : path)

/** `memory   ▓▓░░… 12% 264/2,200 · user ▓░░…`: the first name stands in the column of the header's names. */
const gaugeLine = ({ stores }: MemoryOverview): string =>
  stores
    .map(({ target, usedChars, charLimit }, index) => gauge(index === 0 ? target.padEnd(NAME_WIDTH) : target, usedChars, charLimit))
    .join(' · ')

export const printHeader = ({ paint, print }: Terminal, facts: HeaderFacts, overview: MemoryOverview): void => {
  const field = (name: string, value: string): void => print(`${paint.dim(name.padEnd(NAME_WIDTH))} ${value}`)
  print(paint.bold('Hermes chat agent'))
  field('model', facts.modelLabel)
  field('session', facts.sessionId)
  field('home', shortPath(facts.home))
  field('review', facts.nudge === 0 ? 'off' : `every ${facts.nudge === 1 ? 'turn' : `${facts.nudge} turns`}`)
  if (overview.problems.length === 0) print(gaugeLine(overview))
  else field('memory', paint.red('cannot be read, see below'))
}

/** Says what the stand-in is and what to try with it. */
export const printScriptedNotice = ({ paint, print }: Terminal): void => {
  print('')
  print(paint.bold('No model key was found, so a scripted stand-in answers by fixed rules.'))
  print(paint.dim('Tell it facts, "remember that ...", "what do you know about me?".'))
  print(paint.dim('How to use a real model: /help'))
}
