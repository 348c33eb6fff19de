/** A chart by day. The drawing code is loaded with the first chart; a table says the same in words. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChartLine } from './chart-line.ts'
import { formatCount } from './format.ts'
import { ScrollArea } from './scroll-area.tsx'
import { mendLanguage } from './valid-language.ts'

export interface ChartProps {
  readonly title: string
  /** `2026-05-23`, in UTC. */
  readonly days: readonly string[]
  readonly lines: readonly ChartLine[]
}

const Legend = ({ lines }: Pick<ChartProps, 'lines'>) => (
  <ul class="legend">
    {lines.map(({ name, colour, values }) => (
      <li key={name}>
        <span class={`swatch swatch${colour}`} aria-hidden="true" />
        {name} <span class="number">{formatCount(values.at(-1) ?? 0)}</span>
      </li>
    ))}
  </ul>
)

const Table = ({ title, days, lines }: ChartProps) => (
  <details>
    <summary>As a table</summary>
    <ScrollArea class="scroll" label="Numbers">
      <table>
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {lines.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {lines.map(({ name, values }) => (
                <td key={name} class="number">
                  {formatCount(values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  </details>
)

export const Chart = (props: ChartProps) => {
  const { title, days, lines } = props
  const place = useRef<HTMLDivElement>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let remove = () => {}
    let gone = false
    mendLanguage()
    import('./draw-chart.ts')
      .then(({ drawChart }) => {
        if (!gone && place.current) remove = drawChart(place.current, days, lines)
      })
      .catch(() => setFailed(true))
    return () => {
      gone = true
      remove()
    }
  }, [days, lines])
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div class="drawing" ref={place} aria-hidden="true">
        {failed ? 'The chart could not be drawn; the table has the numbers.' : null}
      </div>
      <Legend lines={lines} />
      <Table {...props} />
    </figure>
  )
}
