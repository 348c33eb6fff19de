/** The tables of benchmarks/peers/README.md. Pure. */
import { describeMachine, table } from '../../report.ts'
import type { Undone } from '../figures/undo.ts'
import type { Race } from '../figures/updates.ts'
import type { Outcomes } from '../harness/context.ts'
import type { Times } from '../harness/numbers.ts'
import { type Figure, PEERS, type PeerFacts, whyNot } from '../peers.ts'
import type { FigureTypes, Measured, Results } from './results.ts'

/** Thousands with a comma; three significant digits below ten. */
export const number = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
}

export const count = (value: number): string => value.toLocaleString('en-US')

const times = (ratio: number): string => (Number.isFinite(ratio) ? `${number(ratio)} ×` : '–')

/** The outcome of a peer; `undefined` if it failed or has none. */
export const outcomeOf = <T>(outcomes: Outcomes<T>, name: string): T | undefined => {
  const outcome = outcomes[name]
  if (outcome === undefined || (typeof outcome === 'object' && outcome !== null && 'failed' in outcome)) return undefined
  return outcome as T
}

const failureOf = <T>(outcomes: Outcomes<T>, name: string): string | undefined => {
  const outcome = outcomes[name]
  const failed = typeof outcome === 'object' && outcome !== null && 'failed' in outcome ? String(outcome.failed) : undefined
  return failed?.split('\n')[0]
}

type Cells<T> = (outcome: T, peer: PeerFacts, all: Outcomes<T>) => readonly string[]

const isOurs = ({ name }: PeerFacts): boolean => name.startsWith('ours')

export const nameOf = (peer: PeerFacts): string => (isOurs(peer) ? `**${peer.title}**` : peer.title)

const describe = <T>(measured: Measured<T>): string => {
  const { before, after } = measured.load
  const part = measured.share === 1 ? '' : ` with ${Math.round(measured.share * 100)} % of the usual rounds`
  return `Measured ${measured.at.slice(0, 10)} at commit ${measured.commit} in ${count(Math.round(measured.seconds))} s${part}; load of the machine ${before.toFixed(1)} before, ${after.toFixed(1)} after.`
}

/** One row for each peer that offers the figure, then why others have none. */
const figureTable = <T>(figure: Figure, measured: Measured<T>, head: readonly string[], cells: Cells<T>): string => {
  const { outcomes } = measured
  const rows = PEERS.flatMap((peer) => {
    const outcome = outcomeOf(outcomes, peer.name)
    if (outcome !== undefined) return [[nameOf(peer), ...cells(outcome, peer, outcomes)]]
    const failed = failureOf(outcomes, peer.name)
    return failed === undefined ? [] : [[nameOf(peer), `failed: ${failed.replaceAll('|', '/')}`, ...head.slice(2).map(() => '')]]
  })
  const peersBy = new Map<string, string[]>()
  for (const peer of PEERS) {
    const reason = whyNot(peer, figure)
    if (reason !== undefined) peersBy.set(reason, [...(peersBy.get(reason) ?? []), peer.title])
  }
  const reasons = [...peersBy].map(([reason, titles]) => `${titles.join(' · ')} (${reason})`)
  const notOffered = reasons.length === 0 ? '' : ` Not offered: ${reasons.join('; ')}.`
  const missing = PEERS.filter((peer) => whyNot(peer, figure) === undefined && !(peer.name in outcomes)).map(({ title }) => title)
  const notMeasured = missing.length === 0 ? '' : ` Not measured yet: ${missing.join(' · ')}.`
  return `${table(head, rows)}\n\n${describe(measured)}${notOffered}${notMeasured}`
}

const beyondHost = (outcomes: Outcomes<FigureTypes['prefix']>, peer: PeerFacts, uncached: number): string => {
  const host = outcomeOf(outcomes, peer.host)
  return host === undefined || peer.name === peer.host ? '' : count(uncached - host.uncached)
}

const prefixHead = [
  '',
  'requests',
  'first request',
  'characters sent',
  'uncached',
  'uncached beyond the framework alone',
  'busts',
  'background characters',
]

const prefixCells: Cells<FigureTypes['prefix']> = (own, peer, all) => [
  count(own.requests),
  count(own.first),
  count(own.sent),
  count(own.uncached),
  beyondHost(all, peer, own.uncached),
  count(own.busts),
  count(own.background),
]

const ratioToFloor = (p50: number, all: Outcomes<Times>): string => times(p50 / (outcomeOf(all, 'floor')?.p50 ?? Number.NaN))

const raceCells = ({ acknowledged, kept, refused, ms }: Race, floor: Race | undefined): readonly string[] => [
  `${kept} of ${acknowledged}`,
  refused === 0 ? '' : `${refused}`,
  `${number(ms)} ms`,
  times(ms / (floor?.ms ?? Number.NaN)),
]

const overheadCells: Cells<FigureTypes['overhead']> = (own, peer, all) => {
  const host = outcomeOf(all, peer.host)
  const beyond = host === undefined || peer.name === peer.host ? ['', ''] : [number(own.p50 - host.p50), times(own.p50 / host.p50)]
  return [number(own.p50), number(own.p99), `${own.n}`, ...beyond, peer.messages, number(own.memory)]
}

const undoneCells = ({ tries, bytes, facts, back, refused }: Undone): readonly string[] => [
  `${bytes} of ${tries}`,
  `${back} of ${facts}`,
  refused === 0 ? '' : `${refused}`,
]

const importOf = (measured: Times | undefined): string => (measured === undefined ? '' : number(measured.p50))

type Tables = { readonly [Name in keyof FigureTypes]: (measured: Measured<FigureTypes[Name]>) => string }

const TABLES: Tables = {
  prefix: (measured) => figureTable('prefix', measured, prefixHead, prefixCells),
  processes: (measured) => figureTable('processes', measured, prefixHead, prefixCells),
  writes: (measured) =>
    figureTable('writes', measured, ['', 'p50 ms', 'p99 ms', 'n', 'p50 ÷ floor'], ({ p50, p99, n }, _, all) => [
      number(p50),
      number(p99),
      `${n}`,
      ratioToFloor(p50, all),
    ]),
  many: (measured) =>
    figureTable('many', measured, ['', 'writes', 'seconds', '÷ floor'], ({ writes, seconds }, _, all) => [
      count(writes),
      number(seconds),
      times(seconds / (outcomeOf(all, 'floor')?.seconds ?? Number.NaN)),
    ]),
  start: (measured) =>
    figureTable(
      'start',
      measured,
      ['', 'warm p50 ms', 'warm p99 ms', 'new process p50 ms', 'of that Node alone', 'n', 'memory MB'],
      ({ warm, cold, bare, memory }) => [
        number(warm.p50),
        number(warm.p99),
        number(cold.p50),
        number(bare.p50),
        `${warm.n} / ${cold.n}`,
        number(memory),
      ],
    ),
  overhead: (measured) =>
    figureTable(
      'overhead',
      measured,
      ['', 'turn p50 ms', 'p99 ms', 'n', '− framework alone, ms', '÷ framework alone', 'messages stored by', 'memory MB'],
      overheadCells,
    ),
  updates: (measured) =>
    figureTable(
      'updates',
      measured,
      ['', '8 processes: kept', 'refused', 'time', '÷ floor', '8 handles: kept', 'refused', 'time', '÷ floor'],
      ({ processes, handles }, _, all) => {
        const floor = outcomeOf(all, 'floor')
        return [...raceCells(processes, floor?.processes), ...raceCells(handles, floor?.handles)]
      },
    ),
  kill: (measured) =>
    figureTable('kill', measured, ['', 'kills', 'acknowledged writes', 'lost', 'unreadable afterwards'], (own) => [
      count(own.rounds),
      count(own.acknowledged),
      count(own.lost),
      count(own.unreadable),
    ]),
  weight: (measured) =>
    figureTable('weight', measured, ['', 'packages', 'MB', 'import the memory, ms', 'import the agent, ms'], (own) => [
      count(own.packages),
      number(own.megabytes),
      importOf(own.importStore),
      importOf(own.importChat),
    ]),
  poisoning: (measured) =>
    figureTable(
      'poisoning',
      measured,
      [
        '',
        'attacks',
        'became a memory with authority',
        'stored as text from outside',
        'stopped',
        'in the same turn: with authority',
        'planted skills in use',
      ],
      ({ attacks, raised, data, stopped, sameTurn, skills }) => [
        ...[attacks, raised, data, stopped].map(count),
        sameTurn === undefined ? '' : count(sameTurn.raised),
        skills === undefined ? '' : `${skills.raised} of ${skills.attacks}`,
      ],
    ),
  undo: (measured) =>
    figureTable(
      'undo',
      measured,
      ['', 'the last change: byte for byte', 'facts back', 'refused', 'before other changes: byte for byte', 'facts back', 'refused'],
      ({ alone, behind }) => [...undoneCells(alone), ...undoneCells(behind)],
    ),
  learning: (measured) =>
    figureTable(
      'learning',
      measured,
      ['', 'calls', 'characters that models got', 'gave', 'characters embedded'],
      ({ calls, received, given, embedded }) => [calls, received, given, embedded].map(count),
    ),
}

const isAsInOneProcess = ({ figures: { prefix, processes } }: Results): boolean =>
  Object.entries(processes?.outcomes ?? {}).every(([name, outcome]) => JSON.stringify(outcome) === JSON.stringify(prefix?.outcomes[name]))

const renderFigure = <Name extends keyof FigureTypes>(name: Name, results: Results): string => {
  const measured = results.figures[name]
  if (measured === undefined) return 'Not measured.'
  return name === 'processes' && isAsInOneProcess(results)
    ? `The same figures, for each peer that was measured. ${describe(measured)}`
    : TABLES[name](measured)
}

const machineTable = ({ machine, versions }: Results): string => {
  const rows = PEERS.flatMap((peer) => {
    const own = Object.entries(versions[peer.name] ?? {})
    return own.length === 0 ? [] : [[nameOf(peer), own.map(([name, version]) => `${name} ${version}`).join(', ')]]
  })
  return `${describeMachine(machine)}.\n\n${table(['', 'versions'], rows).replace('---:', '---')}`
}

/** Every section of benchmarks/peers/README.md, by its name. */
export const sectionsOf = (results: Results): Readonly<Record<string, string>> => ({
  machine: machineTable(results),
  ...Object.fromEntries((Object.keys(TABLES) as (keyof FigureTypes)[]).map((name) => [name, renderFigure(name, results)])),
})

/** Replaces what is between `<!-- begin name -->` and `<!-- end name -->`. Throws if the page lacks a section. */
export const fillPage = (page: string, sections: Readonly<Record<string, string>>): string => {
  let filled = page
  for (const [name, text] of Object.entries(sections)) {
    const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
    const [from, to] = [filled.indexOf(begin), filled.indexOf(end)]
    if (from < 0 || to < from) throw new TypeError(`The page has no section ${name}: write ${begin} and ${end}.`)
    filled = `${filled.slice(0, from + begin.length)}\n\n${text}\n\n${filled.slice(to)}`
  }
  return filled
}
