import { describe, expect, it } from 'vitest'
import { mergeLines } from './journal-lines.ts'

const line = (at: number, name = `${at}`) => JSON.stringify({ at, name })
const merged = (current: readonly string[], added: readonly string[]) => mergeLines(current, added, (text) => text)

describe('mergeLines', () => {
  it('puts late lines where their time is, after those of the same time', () => {
    expect(merged([line(1), line(3), line(3, 'b'), line(9)], [line(0), line(3, 'c'), line(4), line(10)])).toEqual([
      line(0),
      line(1),
      line(3),
      line(3, 'b'),
      line(3, 'c'),
      line(4),
      line(9),
      line(10),
    ])
  })

  it('adds no line that is there already, and keeps equal lines that were added', () => {
    const current = [line(1), line(2)]
    expect(merged(current, [line(1), line(2)])).toBe(current)
    expect(merged(current, [line(2), line(5), line(5)])).toEqual([line(1), line(2), line(5), line(5)])
  })

  it('keeps a broken line after the line before it', () => {
    expect(merged([line(1), '{broken', line(5)], [line(2), 'also broken', line(6)])).toEqual([
      line(1),
      '{broken',
      line(2),
      'also broken',
      line(5),
      line(6),
    ])
    expect(merged([], ['{broken', line(1)])).toEqual(['{broken', line(1)])
  })
})
