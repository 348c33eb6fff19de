import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createProgress } from './progress.ts'
import { textWidth } from './text-width.ts'
import { workLine } from './work-line.ts'

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

it('shows work that no command speaks of only after a second, and never over what a command counts', () => {
  const { world, written } = screen(80)
  const progress = createProgress(world, false, () => now)
  progress.countQuietly(10, 100, 'skills read')
  wait(900)
  expect(written).toEqual([])
  wait(300)
  expect(written.at(-1)).toBe(`${CLEAR}10 of 100 skills read, 8.3/s, 11 s left`)
  progress.count(1, 2, 'changes')
  progress.countQuietly(20, 100, 'skills read')
  wait(400)
  expect(written.at(-1)).toContain('1 of 2 changes')
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

it.each([
  [{ label: '', unit: 'files', done: 12, total: undefined, countedMs: 3_000, labelMs: 0 }, '12 files, 4/s'],
  [{ label: 'Reading …', unit: '', done: 3, total: 3, countedMs: 100, labelMs: 0 }, 'Reading … 3 of 3'],
  [{ label: 'Reading …', unit: '', done: 10, total: 100, countedMs: 100_000, labelMs: 0 }, 'Reading … 10 of 100, 0.1/s, 15 min left'],
])('words %j', (work, line) => {
  expect(workLine(work)).toBe(line)
})
