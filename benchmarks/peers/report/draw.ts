/** Draws the charts of the results as SVG into docs/images. Needs the install of this folder. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { LineChart } from '../../report.ts'
import { type Chart, COLOURS, chartsOf, fingerprintOf, toVegaLite } from './charts.ts'

const IMAGES = join(import.meta.dirname, '../../../docs/images')
const STYLE = `text{fill:${COLOURS.text}}@media (prefers-color-scheme:dark){text{fill:${COLOURS.darkText}}}`

const draw = async (chart: Chart | LineChart): Promise<string> => {
  const { spec } = compile(toVegaLite(chart) as unknown as TopLevelSpec)
  const view = new View(parse(spec), { renderer: 'none' })
  const svg = await view.toSVG()
  view.finalize()
  const inside = `<title>${chart.title}</title><desc>data ${fingerprintOf(chart)}</desc><style>${STYLE}</style>`
  return `${svg.replace(/(<svg[^>]*)>/, `$1 role="img">${inside}`)}\n`
}

const RESULTS = join(import.meta.dirname, '../../results')
for (const file of await readdir(RESULTS)) {
  const kept = JSON.parse(await readFile(join(RESULTS, file), 'utf8'))
  const own: Chart | LineChart | undefined = kept.chart
  const charts = file === 'peers.json' ? chartsOf(kept) : own ? { [`bench-${file.replace('.json', '')}`]: own } : {}
  for (const [name, chart] of Object.entries(charts)) await writeFile(join(IMAGES, `${name}.svg`), await draw(chart))
}
