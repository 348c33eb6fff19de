/** What learning did and cost: charts by day, every background call, and the journal page by page. */
import { useState } from 'preact/hooks'
import type { LedgerView } from '../../api/views.ts'
import { thisMinute } from '../clock.ts'
import { Chart } from '../parts/chart.tsx'
import { formatCount, plural } from '../parts/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { Empty, Facts, Failure, When } from '../parts/small-parts.tsx'
import { SpanChoice } from '../parts/span-choice.tsx'
import { useData } from '../state/use-data.ts'
import { JournalList } from './journal-list.tsx'

const Calls = ({ calls }: Pick<LedgerView, 'calls'>) => (
  <ScrollArea class="scroll" label="Background calls">
    <table>
      <thead>
        <tr>
          <th scope="col">Call</th>
          <th scope="col">When</th>
          <th scope="col">Tokens in</th>
          <th scope="col">Tokens out</th>
          <th scope="col">Model</th>
        </tr>
      </thead>
      <tbody>
        {calls.map(({ id, at, kind, reason, cost }) => (
          <tr key={id}>
            <th scope="row">
              {kind.replaceAll('-', ' ')}
              <span class="quiet">{reason}</span>
            </th>
            <td>
              <When at={at} />
            </td>
            <td class="number">
              {cost?.estimated ? 'about ' : ''}
              {formatCount(cost?.inputTokens ?? 0)}
            </td>
            <td class="number">{formatCount(cost?.outputTokens ?? 0)}</td>
            <td>{cost?.model ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollArea>
)

const Charts = ({ days }: Pick<LedgerView, 'days'>) => {
  const names = days.map(({ day }) => day)
  return (
    <div class="charts">
      <Chart
        title="Memory: entries"
        days={names}
        lines={[{ name: 'entries', colour: '--blue', values: days.map(({ entries }) => entries) }]}
      />
      <Chart
        title="Learning: decisions a day"
        days={names}
        lines={[
          { name: 'applied', colour: '--green', values: days.map(({ applied }) => applied) },
          { name: 'held', colour: '--amber', values: days.map(({ held }) => held) },
          { name: 'rejected', colour: '--red', values: days.map(({ rejected }) => rejected) },
        ]}
      />
      <Chart
        title="Cost: tokens a day"
        days={names}
        lines={[
          { name: 'in', colour: '--blue', values: days.map(({ inputTokens }) => inputTokens) },
          { name: 'out', colour: '--green', values: days.map(({ outputTokens }) => outputTokens) },
        ]}
      />
    </div>
  )
}

export const Ledger = () => {
  const [days, setDays] = useState(30)
  const { data, error } = useData<LedgerView>('ledger', { days, now: thisMinute() })
  return (
    <>
      <header class="head">
        <h1>Ledger</h1>
        <SpanChoice days={days} onChange={setDays} />
      </header>
      <Failure message={error} />
      {data ? (
        <>
          <Facts
            facts={[
              [
                'background runs',
                `${formatCount(data.total.runs)}, ${plural(data.total.calls, 'model call')}, ${formatCount(data.total.unfinished)} unfinished`,
              ],
              [
                'tokens',
                `${data.total.estimated ? 'about ' : ''}${formatCount(data.total.inputTokens)} in, ${formatCount(data.total.outputTokens)} out`,
              ],
              ...data.byModel.map(
                (row) =>
                  [
                    row.key ?? 'unknown model',
                    `${formatCount(row.inputTokens + row.outputTokens)} tokens in ${plural(row.runs, 'run')}`,
                  ] as const,
              ),
            ]}
          />
          <Charts days={data.days} />
          <h2>Background calls</h2>
          {data.calls.length === 0 ? <Empty>No model was called in the background in this time.</Empty> : <Calls calls={data.calls} />}
        </>
      ) : null}
      <JournalList />
    </>
  )
}
