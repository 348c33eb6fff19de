/** Aligned columns without rules. No line exceeds the screen: cells are cut with `…`, and the least important columns are dropped. */
import { oneLine } from './clean-text.ts'
import type { Terminal } from './terminal.ts'
import { fitWidth, textWidth } from './text-width.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly align?: 'left' | 'right'
  /** Minimum width in cells to which the column is cut, unless the screen is narrower still. Default: not cut before others. */
  readonly least?: number
  /** Columns are dropped if the screen is too narrow, the highest number first. Default: never. */
  readonly drop?: number
  /** Colours a padded cell; must keep its width. */
  readonly paint?: (cell: string, row: Row) => string
}

const GAP = 2

interface Measured<Row> {
  readonly column: Column<Row>
  readonly cells: readonly string[]
  readonly width: number
}

const measure = <Row>(column: Column<Row>, rows: readonly Row[]): Measured<Row> => {
  const cells = rows.map((row) => oneLine(column.cell(row)))
  return { column, cells, width: cells.reduce((width, cell) => Math.max(width, textWidth(cell)), textWidth(column.title)) }
}

const total = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + GAP, -GAP)

/**
 * Takes cells from the widest column that may be cut until everything fits; `undefined` if it cannot fit. `leastOf`: the width in cells to
 * which a column may be cut, `undefined` for none.
 */
const shrink = <Row>(
  measured: readonly Measured<Row>[],
  columns: number,
  leastOf: (column: Column<Row>) => number | undefined,
): readonly number[] | undefined => {
  const widths = measured.map(({ width }) => width)
  let over = total(widths) - columns
  while (over > 0) {
    const spare = measured.map(({ column }, index) => Math.max(0, (widths[index] ?? 0) - (leastOf(column) ?? Number.POSITIVE_INFINITY)))
    const widest = spare.reduce((best, room, index) => (room > 0 && (widths[index] ?? 0) > (widths[best] ?? -1) ? index : best), -1)
    if (widest === -1) return undefined
    const next = Math.max(
      0,
      ...widths.filter((_, index) => index !== widest && (spare[index] ?? 0) > 0 && (widths[index] ?? 0) < (widths[widest] ?? 0)),
    )
    const take = Math.max(1, Math.min(over, spare[widest] ?? 0, (widths[widest] ?? 0) - next))
    widths[widest] = (widths[widest] ?? 0) - take
    over -= take
  }
  return widths
}

const fitColumns = <Row>(measured: readonly Measured<Row>[], columns: number): readonly (Measured<Row> & { readonly shown: number })[] => {
  const widths = shrink(measured, columns, ({ least }) => least)
  if (widths) return measured.map((entry, index) => ({ ...entry, shown: widths[index] ?? 0 }))
  const [least] = measured.filter(({ column }) => column.drop !== undefined).sort((a, b) => (b.column.drop ?? 0) - (a.column.drop ?? 0))
  if (least)
    return fitColumns(
      measured.filter((entry) => entry !== least),
      columns,
    )
  // First what is meant to be cut, then everything.
  const squeezed =
    shrink(measured, columns, ({ least: given }) => (given === undefined ? undefined : 1)) ?? shrink(measured, columns, () => 1)
  return measured.map((entry, index) => ({ ...entry, shown: squeezed?.[index] ?? 1 }))
}

/** One line of titles and one for each row, each ending with a line break. */
export const renderTable = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { columns: screen, paint }: Pick<Terminal, 'columns' | 'paint'>,
): string => {
  const fitted = fitColumns(
    columns.map((column) => measure(column, rows)),
    screen,
  )
  const last = fitted.length - 1
  const cellOf = (text: string, { column, shown }: (typeof fitted)[number], index: number): string => {
    const cell = fitWidth(text, shown, column.align)
    return index === last ? cell.trimEnd() : cell
  }
  const gap = ' '.repeat(GAP)
  const titles = fitted.map((entry, index) => paint.dim(cellOf(entry.column.title, entry, index))).join(gap)
  const lines = rows.map((row, at) =>
    fitted
      .map((entry, index) => {
        const cell = cellOf(entry.cells[at] ?? '', entry, index)
        return entry.column.paint ? entry.column.paint(cell, row) : cell
      })
      .join(gap)
      .trimEnd(),
  )
  return [titles, ...lines].map((line) => `${line}\n`).join('')
}
