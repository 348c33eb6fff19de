import { describe, expect, it } from 'vitest'
import { cleanText, escapeJson, oneLine } from './clean-text.ts'
import { counted, formatBytes, formatInstant, gauge, relativeTime } from './format.ts'
import { textWidth, wrapText } from './text-width.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe('wrapText', () => {
  it('breaks at words and indents later lines', () => {
    expect(wrapText('one two three four', 12, 2)).toBe('one two\n  three four')
  })

  it('keeps own line breaks, indents and blank lines', () => {
    expect(wrapText('a\n\n  b c', 80, 1)).toBe('a\n\n   b c')
  })

  it('breaks a word that is wider than the line, and never loses a character', () => {
    const word = 'x'.repeat(25)
    expect(wrapText(word, 10)).toBe(`${'x'.repeat(10)}\n${'x'.repeat(10)}\nxxxxx`)
    expect(wrapText('翻译文档翻译文档', 10)).toBe('翻译文档翻\n译文档')
  })

  it('breaks a page of Chinese, which is one word, in one pass', () => {
    const page = '部署'.repeat(50_000)
    const lines = wrapText(page, 80).split('\n')
    expect([lines.length, lines.join('')]).toEqual([2500, page])
  })

  it.each([10, 17, 40])('stays within %i columns', (columns) => {
    for (const line of wrapText('The quick brown 🦊 jumps over 懒狗 and https://example.com/a/very/long/path', columns).split('\n')) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns)
    }
  })

  it('leaves text alone if nobody looks', () => {
    expect(wrapText('word '.repeat(100).trim(), Number.POSITIVE_INFINITY)).not.toContain('\n')
  })
})

describe('cleanText', () => {
  it('takes out what would steer the terminal or turn round a line', () => {
    expect(cleanText('a\u001b[2Jb\u0007\u202ec\r\nd\te')).toBe('a[2Jbc\nd  e')
    expect(oneLine(' a\n b\u2028c\u061c ')).toBe('a b c')
    expect(cleanText('a\u2028b\u2029c')).toBe('a\nb\nc')
  })

  it('escapes in JSON what JSON itself leaves as it is', () => {
    const text = 'a\u009b2J\u202eb\u061c\u007f\n\u001b'
    const json = escapeJson(JSON.stringify({ text }, null, 2))
    expect(json).toBe('{\n  "text": "a\\u009b2J\\u202eb\\u061c\\u007f\\n\\u001b"\n}')
    expect(JSON.parse(json)).toEqual({ text })
  })
})

describe('relativeTime', () => {
  it.each([
    [0, 'never'],
    [10 * DAY, 'just now'],
    [10 * DAY - 59_999, 'just now'],
    [10 * DAY - MINUTE, '1m ago'],
    [10 * DAY - 59 * MINUTE, '59m ago'],
    [10 * DAY - DAY + 1, '23h ago'],
    [7 * DAY, '3d ago'],
    [12 * DAY, 'in 2d'],
  ])('says %i as %s', (at, expected) => {
    expect(relativeTime(at, 10 * DAY)).toBe(expected)
  })

  it('says months and years', () => {
    expect(relativeTime(1, 45 * DAY)).toBe('1mo ago')
    expect(relativeTime(1, 800 * DAY)).toBe('2y ago')
    expect(formatInstant(Date.UTC(2026, 4, 23, 14, 5))).toBe('2026-05-23 14:05 UTC')
    expect(formatInstant(Number.NaN)).toBe('unknown')
  })
})

describe('counts', () => {
  it('are said in words and cells', () => {
    expect([counted(1, 'entry', 'entries'), counted(0, 'skill'), counted(1234, 'skill')]).toEqual(['1 entry', '0 skills', '1,234 skills'])
    expect([gauge(0, 2200), gauge(5, 2200), gauge(1100, 2200), gauge(9000, 2200)]).toEqual([
      '░░░░░░░░░░   0%  0/2,200',
      '▓░░░░░░░░░   0%  5/2,200',
      '▓▓▓▓▓░░░░░  50%  1,100/2,200',
      '▓▓▓▓▓▓▓▓▓▓ 100%  9,000/2,200',
    ])
    expect([formatBytes(0), formatBytes(940), formatBytes(1_600), formatBytes(34_000_000)]).toEqual(['0 B', '940 B', '1.6 KB', '34 MB'])
  })
})
