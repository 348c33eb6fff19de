import { describe, expect, it } from 'vitest'
import { diffLinesOf, diffParts, isByWords } from './diff-parts.ts'

const kinds = (before: string, after: string) => diffParts(before, after).map(({ kind, text }) => `${kind} ${text}`)

describe('diffParts', () => {
  it('compares a sentence by words', () => {
    expect(isByWords('Uses pnpm 9', 'Uses pnpm 12')).toBe(true)
    expect(kinds('Uses pnpm 9', 'Uses pnpm 12')).toEqual(['same Uses pnpm ', 'removed 9', 'added 12'])
  })

  it('compares a file by lines', () => {
    expect(kinds('a\nb\n', 'a\nc\n')).toEqual(['same a\n', 'removed b\n', 'added c\n'])
  })

  it.each([
    ['', 'x', ['added x']],
    ['x', '', ['removed x']],
    ['', '', []],
  ])('shows what is only there before or after: %o %o', (before, after, parts) => {
    expect(kinds(before, after)).toEqual(parts)
  })

  it('gives up on texts that take too long, and loses nothing', () => {
    const lines = (seed: number) => Array.from({ length: 20_000 }, (_, line) => `${(line * seed) % 9_973}`).join('\n')
    const [before, after] = [lines(7), lines(13)]
    const started = process.cpuUsage()
    const parts = diffParts(before, after)
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000)
    expect(parts.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text])).join('')).toBe(before)
    expect(parts.flatMap(({ kind, text }) => (kind === 'removed' ? [] : [text])).join('')).toBe(after)
  })
})

it('leaves out long stretches without a change', () => {
  const text = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n')
  const lines = diffLinesOf(diffParts(`${text}\nold\n`, `${text}\nnew\n`))
  expect(lines.at(0)?.text).toBe('27 unchanged lines')
  expect(lines.map(({ kind }) => kind)).toEqual(['skipped', 'same', 'same', 'same', 'removed', 'added'])
})
