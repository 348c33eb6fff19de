import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createProgress } from './progress.ts'
import { textWidth } from './text-width.ts'

const CLEAR = '\r\u001b[K'

const screen = (columns: number | undefined, env: Record<string, string> = {}) => {
  const written: string[] = []
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk))
      done()
    },
  })
  return { world: { env, stderr: Object.assign(stderr, columns === undefined ? {} : { isTTY: true, columns }) }, written }
}

let now = 0
const wait = (ms: number): void => {
  for (let left = ms; left > 0; left -= 100) {
    now += 100
    vi.advanceTimersByTime(100)
  }
}

beforeEach(() => {
  now = 0
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

it('stays on one line of the screen, so that it can be taken away', () => {
  const { world, written } = screen(50)
  const progress = createProgress(world, false)
  progress.show('Asking Anthropic\u001b[31m claude-haiku-5-5 which skills belong together (12 calls) …')
  progress.end()
  const [line = '', last] = written.map((text) => text.replace(CLEAR, ''))
  expect([line.startsWith('Asking Anthropic[31m claude'), textWidth(line), last]).toEqual([true, 49, ''])
})

it('is silent if the terminal cannot take a line away, and for programs', () => {
  const { world, written } = screen(80, { TERM: 'dumb' })
  createProgress(world, false).show('Looking …')
  createProgress({ ...world, env: {} }, true).show('Looking …')
  wait(30_000)
  expect(written).toEqual([])
})

it('shows counts, rate and time left, and the seconds of what cannot be counted', () => {
  const { world, written } = screen(80)
  const progress = createProgress(world, false, () => now)
  progress.show('Looking at the skills …')
  wait(3_000)
  expect(written.at(-1)).toBe(`${CLEAR}Looking at the skills … 3 s`)
  progress.count(0, 4_000, 'skills')
  wait(2_000)
  progress.count(1_000, 4_000, 'skills')
  // The same words again are the same work.
  progress.show('Looking at the skills …')
  wait(200)
  expect(written.at(-1)).toBe(`${CLEAR}Looking at the skills … 1,000 of 4,000 skills, 455/s, 7 s left`)
  progress.end()
  expect(written.at(-1)).toBe(CLEAR)
  const lines = written.length
  wait(5_000)
  expect(written).toHaveLength(lines)
})

it('writes a line every ten seconds where nobody can take a line away', () => {
  const { world, written } = screen(undefined)
  const progress = createProgress(world, false, () => now)
  progress.show('Restoring …')
  wait(9_000)
  expect(written).toEqual([])
  wait(12_000)
  expect(written).toEqual(['Restoring … 10 s\n', 'Restoring … 20 s\n'])
  progress.end()
  expect(written).toHaveLength(2)
})
