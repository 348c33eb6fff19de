import { describe, expect, it } from 'vitest'
import { type Column, renderTable } from './table.ts'
import { textWidth, truncate } from './text-width.ts'

interface Row {
  readonly name: string
  readonly count: number
  readonly note: string
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'NAME', cell: ({ name }) => name, least: 6 },
  { title: 'COUNT', cell: ({ count }) => String(count), align: 'right', drop: 1 },
  { title: 'NOTE', cell: ({ note }) => note, least: 8, drop: 2 },
]

const ROWS: readonly Row[] = [
  { name: 'deploy', count: 7, note: 'to staging, every day' },
  { name: '翻译文档', count: 120, note: 'with\na line break and \u001b[31mred' },
]

const plain = (text: string) => text
const PLAIN = { dim: plain, bold: plain, red: plain, green: plain, yellow: plain }

const render = (columns: number) => renderTable(COLUMNS, ROWS, { columns, paint: PLAIN })

describe('renderTable', () => {
  it('aligns by what is seen, wide characters included, and keeps each row on a line', () => {
    expect(render(Number.POSITIVE_INFINITY)).toBe(
      'NAME      COUNT  NOTE\ndeploy        7  to staging, every day\n翻译文档    120  with a line break and [31mred\n',
    )
  })

  it('cuts the widest column first', () => {
    expect(render(30)).toBe('NAME      COUNT  NOTE\ndeploy        7  to staging,…\n翻译文档    120  with a line…\n')
  })

  it('leaves out what matters least if it is narrow', () => {
    expect(render(20)).toBe('NAME      COUNT\ndeploy        7\n翻译文档    120\n')
    expect(render(10)).toBe('NAME\ndeploy\n翻译文档\n')
  })

  it.each(Array.from({ length: 60 }, (_, index) => index + 6))('never exceeds %i columns', (columns) => {
    for (const line of render(columns).split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(columns)
  })

  it.each(Array.from({ length: 40 }, (_, index) => index + 10))('never exceeds %i columns with columns that are all needed', (columns) => {
    const needed: readonly Column<Row>[] = [
      { title: 'COUNT', cell: ({ count }) => String(count) },
      { title: 'VERDICT', cell: () => 'review-finished' },
      { title: 'NOTE', cell: ({ note }) => note, least: 20 },
    ]
    const lines = renderTable(needed, ROWS, { columns, paint: PLAIN }).split('\n')
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns)
    // What is meant to be cut goes first.
    if (columns >= 25) expect(lines[1]).toContain('review-finished')
  })

  it('colours finished cells, so that colours take no room', () => {
    const [name] = COLUMNS
    const painted = renderTable([{ ...(name as Column<Row>), paint: (cell) => `<${cell}>` }], ROWS, {
      columns: 6,
      paint: PLAIN,
    })
    expect(painted).toBe('NAME\n<deploy>\n<翻译…>\n')
  })
})

describe('truncate', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['翻译文档', 5, '翻译…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['👩‍👩‍👧 family', 4, '👩‍👩‍👧…'],
    ['abc', 0, ''],
  ])('cuts %j to %i cells', (text, width, expected) => {
    expect(truncate(text, width)).toBe(expected)
  })
})
