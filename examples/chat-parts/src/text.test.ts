import { expect, it } from 'vitest'
import { cleanText, createWordWrap, gauge, oneLine, wrapText } from './text.ts'

it('breaks between words at the width, whatever the pieces it streams in', () => {
  const text = 'The quick brown fox jumps over the lazy dog and runs away.'
  for (const size of [1, 3, 7, 100]) {
    const wrap = createWordWrap(20)
    let shown = ''
    for (let at = 0; at < text.length; at += size) shown += wrap.push(text.slice(at, at + size))
    shown += wrap.end()
    expect(shown).toBe('The quick brown fox\njumps over the lazy\ndog and runs away.')
  }
})

it('keeps line breaks and indents, and a word longer than the line whole', () => {
  expect(wrapText('a\n  - indented\n\nend', 20)).toBe('a\n  - indented\n\nend')
  expect(wrapText('see https://example.org/a/long/path now', 12)).toBe('see\nhttps://example.org/a/long/path\nnow')
})

it('indents later lines, and counts the indent with them alone', () => {
  expect(wrapText('- the quick brown fox jumps', 15, '    ')).toBe('- the quick\n    brown fox\n    jumps')
  expect(wrapText('first\n  the quick brown', 13, '  ')).toBe('first\n    the quick\n    brown')
  expect(wrapText('12345 789 1234 6789\nend', 10, '  ')).toBe('12345 789\n  1234\n  6789\n  end')
})

it('streams Chinese and Japanese, counts their width, and begins no line with a comma or a full stop', () => {
  const text = '今日は、とても良い天気です。散歩に行きましょう。'
  const wrap = createWordWrap(12)
  expect(wrap.push(text.slice(0, 6))).not.toBe('')
  expect(wrapText(text, 12)).toBe('今日は、とて\nも良い天気で\nす。散歩に行\nきましょう。')
  expect(wrapText('今日は良い天、', 12)).toBe('今日は良い\n天、')
})

it('knows how far the line is written', () => {
  const wrap = createWordWrap(20)
  wrap.push('The quick bro')
  expect(wrap.column()).toBe(9)
})

it('wraps nothing without a width', () => {
  expect(wrapText('word '.repeat(100).trim(), Number.POSITIVE_INFINITY)).toBe('word '.repeat(100).trim())
})

it('takes out what could steer the terminal', () => {
  expect(cleanText('a\u001b[2Jb\u009b31mc\u0007\td\n')).toBe('a[2Jb31mc  d\n')
})

it('cuts to one line of the length', () => {
  expect(oneLine(' two\n  lines ')).toBe('two lines')
  expect(oneLine('123456', 5)).toBe('1234…')
})

it('shows how full a store is', () => {
  expect(gauge('memory', 264, 2200)).toBe('memory ▓░░░░░░░░░ 12% 264/2,200')
  expect(gauge('user', 0, 1375)).toBe('user ░░░░░░░░░░ 0% 0/1,375')
  expect(gauge('user', 3, 1375)).toBe('user ▓░░░░░░░░░ 0% 3/1,375')
  expect(gauge('user', 1375, 1375)).toBe('user ▓▓▓▓▓▓▓▓▓▓ 100% 1,375/1,375')
  expect(gauge('user', 9000, 1375)).toBe('user ▓▓▓▓▓▓▓▓▓▓ 100% 9,000/1,375')
})
