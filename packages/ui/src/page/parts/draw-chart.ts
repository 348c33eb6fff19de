/** Draws a chart into an element, in the colours of the page, and again when its width or the colours change. */
import Plot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { ChartLine } from './chart-line.ts'

const HEIGHT = 140
const SECOND_MS = 1_000

/** Returns a function that removes it. */
export const drawChart = (place: HTMLElement, days: readonly string[], lines: readonly ChartLine[]): (() => void) => {
  const times = days.map((day) => Date.parse(`${day}T00:00:00Z`) / SECOND_MS)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  let plot: Plot | undefined

  const draw = (): void => {
    plot?.destroy()
    const style = getComputedStyle(place)
    const colour = (name: string): string => style.getPropertyValue(name).trim()
    const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false }, font: '11px system-ui' }
    plot = new Plot(
      {
        width: place.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] } },
        axes: [axis, { ...axis, size: 52 }],
        series: [
          {},
          ...lines.map(({ name, colour: own }) => ({
            label: name,
            stroke: colour(own),
            width: 2,
            points: { show: days.length <= 31, size: 4 },
          })),
        ],
        tzDate: (at) => Plot.tzDate(new Date(at * SECOND_MS), 'Etc/UTC'),
      },
      [times, ...lines.map(({ values }) => [...values])],
      place,
    )
  }

  draw()
  const resized = new ResizeObserver(() => plot?.setSize({ width: place.clientWidth, height: HEIGHT }))
  resized.observe(place)
  scheme.addEventListener('change', draw)
  return () => {
    resized.disconnect()
    scheme.removeEventListener('change', draw)
    plot?.destroy()
  }
}
