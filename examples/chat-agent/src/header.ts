/** What is at the top of a session: model, session, home, and how full the memory is. */
import type { MemoryStore } from '@hermes/core'
import { ENTRY_DELIMITER } from '@hermes/core/memory'
import type { MemoryProvider } from '@hermes/core/provider'
import { shortPath } from '@hermes/example-chat-parts/read-flags'
import { type Terminal, tell } from '@hermes/example-chat-parts/terminal'
import { counted, gauge } from '@hermes/example-chat-parts/text'

export interface HeaderFacts {
  readonly modelLabel: string
  readonly sessionId: string
  readonly home: string
  /** The person's own folder. */
  readonly userHome: string
  /** The agent may read the text files below it. */
  readonly folder: string
  readonly nudge: number
  readonly skillNudge: number
  readonly skillCount: number
  /** Knows past sessions; undefined if none does. */
  readonly provider: MemoryProvider | undefined
}

const NAME_WIDTH = 8

export const storeGauge = (store: MemoryStore, target: 'memory' | 'user', width = NAME_WIDTH): string =>
  gauge(target.padEnd(width), [...store.entries(target).join(ENTRY_DELIMITER)].length, store.charLimit(target))

/** `every 10 turns and every 10 tool steps`. */
const reviewTimes = ({ nudge, skillNudge }: HeaderFacts): string => {
  const every = (count: number, one: string): string => `every ${count === 1 ? one : counted(count, one)}`
  if (nudge === 0) return skillNudge === 0 ? 'off' : `${every(skillNudge, 'tool step')}, of skills alone`
  return skillNudge === 0 ? `${every(nudge, 'turn')}, of memory alone` : `${every(nudge, 'turn')} and ${every(skillNudge, 'tool step')}`
}

/** `store`: loaded. */
export const printHeader = ({ paint, print, columns }: Terminal, facts: HeaderFacts, store: MemoryStore): void => {
  const field = (name: string, value: string): void => print(`${paint.dim(name.padEnd(NAME_WIDTH))} ${value}`)
  print(paint.bold('Hermes chat agent'))
  field('model', facts.modelLabel)
  field('session', facts.sessionId)
  field('home', shortPath(facts.home, facts))
  field('files', `may read text below ${shortPath(facts.folder, facts)}`)
  field('review', reviewTimes(facts))
  const gauges = `${storeGauge(store, 'memory')} · ${storeGauge(store, 'user', 0)}`
  if (store.loadProblems().length > 0) field('memory', paint.red('cannot be read, see below'))
  else print([...gauges].length <= columns ? gauges : `${storeGauge(store, 'memory')}\n${storeGauge(store, 'user')}`)
  if (facts.provider) field('recall', `on, by ${facts.provider.name}`)
  if (facts.skillCount > 0) field('skills', `${facts.skillCount}, see /skills`)
}

/** Of the inspector; whole, so that a terminal makes it a link. */
export const printLink = ({ paint, print }: Terminal, link: string): void =>
  print(
    `${paint.dim('inspect'.padEnd(NAME_WIDTH))} ${link}\n${paint.dim(`${' '.repeat(NAME_WIDTH)} opens one browser, once, until the chat ends`)}`,
  )

/** Says what the stand-in is and what to try with it. */
export const printScriptedNotice = (terminal: Terminal): void => {
  terminal.print('')
  tell(terminal, 'No model key was found, so a scripted stand-in answers by fixed rules.', '', 'bold')
  tell(terminal, 'Tell it facts, "remember that ...", "what do you know about me?".', '', 'dim')
  tell(terminal, 'Let it "read the vendor page", and see what comes of the order in it.', '', 'dim')
  tell(terminal, 'Let it "split 84.60 among 4 with a 10% tip", and say "always round up to ...".', '', 'dim')
  terminal.print(terminal.paint.dim('How to use a real model: /help'))
}
