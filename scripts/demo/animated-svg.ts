/** A terminal recording as one SVG: animated by CSS alone, for light and dark; without animation it shows the last screen. */
import type { Span } from '../support/pty.ts'

/** A row of the recording, in the order in which the rows appear. */
export interface Row {
  readonly spans: readonly Span[]
  /** Milliseconds from the start. */
  readonly at: number
  /** What a person types behind the spans, letter by letter. */
  readonly typed?: { readonly text: string; readonly from: number; readonly until: number }
}

export interface Recording {
  readonly rows: readonly Row[]
  /** Milliseconds until it begins anew. */
  readonly duration: number
  readonly columns: number
  /** Rows that are seen at once. */
  readonly height: number
  /** For people who do not see the picture. */
  readonly description: string
}

const ROW_PX = 19
/** From the top of a row. */
const BASELINE_PX = 14
const CELL_PX = 8.43
const PAD_PX = 20
const BAR_PX = 30

const STYLE = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;fill:#1f2328}
.w{fill:#fff;stroke:#d1d9e0}.o{fill:#d1d9e0}.dim{fill:#59636e}.bold,.typed{font-weight:700}.typed{fill:#0969da}.red{fill:#c4232c}.green{fill:#116329}.yellow{fill:#7d4e00}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.w{fill:#0d1117;stroke:#3d444d}.o{fill:#3d444d}.dim{fill:#9198a1}.typed{fill:#58a6ff}.red{fill:#ff7b72}.green{fill:#56d364}.yellow{fill:#e3b341}}`

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const spanSvg = ({ text, style }: Span): string =>
  style === 'plain' ? escapeText(text) : `<tspan class="${style}">${escapeText(text)}</tspan>`

/** Of the whole, with two decimals: `12.34%`. */
const percent = (at: number, duration: number): string => `${Number(((at / duration) * 100).toFixed(2))}%`

const textWidth = (spans: readonly Span[]): number => spans.reduce((sum, { text }) => sum + [...text].length, 0)

/** The rows that scrolled out at the top once `shown` rows have appeared. */
const scrolled = (shown: number, height: number): number => Math.max(0, shown - height)

const rowSvg = ({ spans, typed }: Row, index: number): string => {
  const y = index * ROW_PX + BASELINE_PX
  // Where something is typed behind it, its width must not depend on the font.
  const x = Number((textWidth(spans) * CELL_PX).toFixed(1))
  const fixed = typed === undefined ? '' : ` textLength="${x}"`
  const shown = spans.length === 0 ? '' : `<text class="r${index}" y="${y}"${fixed}>${spans.map(spanSvg).join('')}</text>`
  return typed === undefined ? shown : `${shown}<text class="typed t${index}" x="${x}" y="${y}">${escapeText(typed.text)}</text>`
}

const rowKeys = ({ spans, typed, at }: Row, index: number, duration: number): string => {
  const from = percent(at, duration)
  const appear = spans.length === 0 ? '' : `@keyframes r${index}{0%{opacity:0}${from},to{opacity:1}}.r${index}{animation-name:r${index}}`
  if (typed === undefined) return appear
  const [start, end] = [percent(typed.from, duration), percent(typed.until, duration)]
  const hidden = 'clip-path:inset(0 100% 0 0)'
  const steps = `animation-timing-function:steps(${[...typed.text].length})`
  const keys = `@keyframes t${index}{0%{${hidden}}${start}{${hidden};${steps}}${end},to{clip-path:inset(0 0 0 0)}}.t${index}{animation-name:t${index}}`
  return `${appear}${keys}`
}

const scrollKeys = ({ rows, duration, height }: Recording): string => {
  const keys = rows.flatMap(({ at }, index) => {
    const lines = scrolled(index + 1, height)
    return lines === 0 ? [] : [`${percent(at, duration)}{transform:translateY(-${lines * ROW_PX}px)}`]
  })
  const last = scrolled(rows.length, height) * ROW_PX
  return `@keyframes s{0%{transform:none}${keys.join('')}to{transform:translateY(-${last}px)}}.s{animation-name:s;transform:translateY(-${last}px)}`
}

export const toAnimatedSvg = (recording: Recording): string => {
  const { rows, duration, columns, height, description } = recording
  const width = Math.ceil(columns * CELL_PX) + 2 * PAD_PX
  const inner = height * ROW_PX
  const full = inner + BAR_PX + PAD_PX
  const dots = [0, 1, 2].map((dot) => `<circle class="o" cx="${PAD_PX + dot * 18}" cy="${BAR_PX / 2 + 2}" r="5"/>`).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${full}" viewBox="0 0 ${width} ${full}" role="img">
<title>${escapeText(description)}</title>
<style>${STYLE}
.s,.s text{animation-duration:${duration}ms;animation-iteration-count:infinite;animation-timing-function:step-end}
${scrollKeys(recording)}
${rows.map((row, index) => rowKeys(row, index, duration)).join('\n')}
@media(prefers-reduced-motion:reduce){.s,.s text{animation:none}}</style>
<rect class="w" x=".5" y=".5" width="${width - 1}" height="${full - 1}" rx="8"/>${dots}
<svg aria-hidden="true" x="${PAD_PX}" y="${BAR_PX}" width="${width - 2 * PAD_PX}" height="${inner}"><g class="s">
${rows
  .map(rowSvg)
  .filter((row) => row !== '')
  .join('\n')}
</g></svg></svg>
`
}
