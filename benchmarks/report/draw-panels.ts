/** Draws small line charts beside one another, readable on white and on black. */
import { createHash } from 'node:crypto'
import { LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { COLOURS } from '../peers/report/charts.ts'

export interface PanelLine {
  readonly name: string
  /** Of x and y. On logarithmic axes all are above 0. */
  readonly points: readonly (readonly [number, number])[]
  /** A line to compare with, dashed. */
  readonly isGuide?: boolean
}

export interface Panel {
  readonly title: string
  readonly scale: 'log' | 'linear'
  /** Of the y axis. */
  readonly unit: string
  readonly lines: readonly PanelLine[]
}

export interface Picture {
  readonly title: string
  readonly panels: readonly Panel[]
}

/** Written into the picture, so that a test can tell whether it shows these values. */
export const fingerprintOf = (picture: Picture): string => createHash('sha256').update(JSON.stringify(picture)).digest('hex').slice(0, 16)

// Readable on white and on black; the colour of the text changes with the reader's scheme.
const LINE_COLOURS = ['#2f81f7', '#d9822b', '#57ab5a', '#a371f7']
const PER_ROW = 2
const [WIDTH, PANEL_WIDTH, PANEL_HEIGHT] = [960, 480, 310]
/** Around the lines of a panel, for its title, legend and numbers. */
const [LEFT, RIGHT, TOP, BOTTOM] = [56, 24, 112, 30]

const STYLE = `@media (prefers-color-scheme:dark){[fill="${COLOURS.text}"]{fill:${COLOURS.darkText}}}`

const short = (value: number): string => {
  if (value >= 1_000_000) return `${value / 1_000_000}M`
  if (value >= 1_000) return `${value / 1_000}k`
  return `${Number(value.toPrecision(3))}`
}

const placeOf = (index: number) => ({ left: (index % PER_ROW) * PANEL_WIDTH, top: Math.floor(index / PER_ROW) * PANEL_HEIGHT })

const axisOf = (scale: Panel['scale'], index: number) => ({
  type: scale === 'log' ? ('log' as const) : ('value' as const),
  gridIndex: index,
  axisLabel: { color: COLOURS.text, formatter: short },
  axisLine: { show: false },
  splitLine: { lineStyle: { color: COLOURS.peer, opacity: 0.25 } },
})

const seriesOf = ({ lines }: Panel, index: number) =>
  lines.map(({ name, points, isGuide = false }, nth) => {
    const color = isGuide ? COLOURS.peer : LINE_COLOURS[nth % LINE_COLOURS.length]
    return {
      type: 'line' as const,
      // A legend knows a line by its name.
      name: `${index} ${name}`,
      xAxisIndex: index,
      yAxisIndex: index,
      symbol: isGuide ? 'none' : 'circle',
      symbolSize: 5,
      lineStyle: { color, width: isGuide ? 1 : 2, type: isGuide ? ('dashed' as const) : ('solid' as const) },
      itemStyle: { color },
      data: points.map((point) => [...point]),
    }
  })

/** The text of an SVG file. */
export const drawPanels = (picture: Picture): string => {
  use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])
  const { title, panels } = picture
  const height = Math.ceil(panels.length / PER_ROW) * PANEL_HEIGHT
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  const places = panels.map((panel, index) => ({ panel, index, ...placeOf(index) }))
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: 'system-ui, sans-serif', color: COLOURS.text },
    title: places.map(({ panel, left, top }) => ({
      text: panel.title,
      subtext: panel.unit,
      left: left + 8,
      top: top + 8,
      itemGap: 4,
      textStyle: { color: COLOURS.text, fontSize: 14, fontWeight: 600 },
      subtextStyle: { color: COLOURS.text, fontSize: 12 },
    })),
    legend: places.map(({ panel, index, left, top }) => ({
      data: panel.lines.map(({ name }) => `${index} ${name}`),
      formatter: (name: string) => name.slice(`${index} `.length),
      left: left + 8,
      top: top + 48,
      width: PANEL_WIDTH - 16,
      itemWidth: 18,
      itemHeight: 8,
      itemGap: 14,
      textStyle: { color: COLOURS.text, fontSize: 12 },
    })),
    grid: places.map(({ left, top }) => ({
      left: left + LEFT,
      top: top + TOP,
      width: PANEL_WIDTH - LEFT - RIGHT,
      height: PANEL_HEIGHT - TOP - BOTTOM,
    })),
    xAxis: places.map(({ panel, index }) => axisOf(panel.scale, index)),
    yAxis: places.map(({ panel, index }) => axisOf(panel.scale, index)),
    series: places.flatMap(({ panel, index }) => seriesOf(panel, index)),
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  const inside = `<title>${title}</title><desc>data ${fingerprintOf(picture)}</desc><style>${STYLE}</style>`
  return `${svg.replace(/(<svg[^>]*)>/, `$1 role="img">${inside}`)}\n`
}
