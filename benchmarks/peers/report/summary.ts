/** The summary of docs/benchmarks.md: one row for each peer, with the figures that decide something. Pure. */
import { table } from '../../report.ts'
import { PEERS } from '../peers.ts'
import type { FigureTypes, Results } from './results.ts'
import { count, nameOf, number, outcomeOf } from './tables.ts'

interface Column {
  readonly head: string
  /** One cell by the peer's name; no column if the figure was not measured. */
  readonly cells?: (name: string) => string
}

const summaryTable = ({ figures }: Results): string => {
  const column = <Name extends keyof FigureTypes>(figure: Name, head: string, show: (outcome: FigureTypes[Name]) => string): Column => {
    const measured = figures[figure]
    const cells = (name: string): string => {
      const outcome = outcomeOf<FigureTypes[Name]>(measured?.outcomes ?? {}, name)
      return outcome === undefined ? '' : show(outcome)
    }
    return measured === undefined ? { head } : { head, cells }
  }
  const columns = [
    column('prefix', 'uncached characters, 50 turns', ({ uncached }) => count(uncached)),
    column('prefix', 'characters sent', ({ sent }) => count(sent)),
    column('writes', 'write, ms', ({ p50 }) => number(p50)),
    column('start', 'new process to prompt, ms', ({ cold }) => number(cold.p50)),
    column('overhead', 'turn, ms', ({ p50 }) => number(p50)),
    column('updates', '8 processes: facts kept', ({ processes }) => `${processes.kept} of ${processes.acknowledged}`),
    column('kill', 'kill -9: writes lost', ({ lost, acknowledged }) => `${count(lost)} of ${count(acknowledged)}`),
    column('weight', 'MB installed', ({ megabytes }) => number(megabytes)),
    column('poisoning', 'planted: with authority', ({ raised, attacks }) => `${raised} of ${attacks}`),
    column('undo', 'undo: facts back', ({ alone, behind }) => `${alone.back + behind.back} of ${alone.facts + behind.facts}`),
    column('learning', 'learning: characters, 10 turns', ({ received, given }) => count(Math.round(received + given))),
  ].flatMap(({ head, cells }) => (cells === undefined ? [] : [{ head, cells }]))
  const rows = PEERS.map((peer) => [nameOf(peer), ...columns.map(({ cells }) => cells(peer.name))] as const)
  return table(
    ['', ...columns.map(({ head }) => head)],
    rows.filter(([, ...cells]) => cells.some((cell) => cell !== '')),
  )
}

/** By the name of the section. */
export const summaryOf = (results: Results): Readonly<Record<string, string>> => ({ summary: summaryTable(results) })
