/** Draws the measured times over the sizes, both on logarithmic axes: a constant operation is a level line, a linear one rises by 45 degrees. */
import { LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { GrowthLine } from './measure-axis.ts'

const WIDTH = 1_000
const HEIGHT = 700

/** The text of an SVG file. */
export const plotGrowth = (lines: readonly GrowthLine[]): string => {
  use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT })
  chart.setOption({
    animation: false,
    title: { text: 'Processor time of an operation' },
    legend: { type: 'plain', orient: 'vertical', left: 620, top: 40 },
    grid: { left: 60, right: 400, top: 40, bottom: 50 },
    xAxis: { type: 'log', name: 'size', nameLocation: 'middle', nameGap: 30 },
    yAxis: { type: 'log', name: 'ms' },
    series: lines.map(({ axis, operation, points }) => ({
      type: 'line',
      name: `${axis}: ${operation}`,
      data: points.map(({ size, ms }) => [size, ms]),
    })),
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}
