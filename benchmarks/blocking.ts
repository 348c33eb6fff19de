/**
 * The longest time that crafted input blocks the event loop: each case runs as a host would run it, while a timer measures the longest gap between two of its ticks.
 * `--only`: part of the name of the cases.
 */
import { parseArgs } from 'node:util'
import type { BlockingCase } from './blocking/case.ts'
import { readingCases } from './blocking/reading.ts'
import { scanCases } from './blocking/scan.ts'
import { textCases } from './blocking/text.ts'
import { named } from './options.ts'
import { type Part, table } from './report.ts'

/** The longest time that any input may block the event loop. */
const LIMIT_MS = 50
/** The best of this many runs counts, to exclude other load on the machine. */
const RUNS = 3
const SHOWN = 15

interface Block {
  /** Wall-clock time, including other load on the machine. */
  readonly ms: number
  /** Processor time of the process. */
  readonly cpuMs: number
}

/** The longest time between two ticks during `run`. */
const longestBlock = async (run: () => unknown): Promise<Block> => {
  let longest: Block = { ms: 0, cpuMs: 0 }
  let last = performance.now()
  let lastCpu = process.threadCpuUsage()
  const note = (): void => {
    const now = performance.now()
    const { user, system } = process.threadCpuUsage(lastCpu)
    const ms = now - last
    const cpuMs = Math.min(ms, (user + system) / 1000)
    if (cpuMs > longest.cpuMs) longest = { ms, cpuMs }
    last = performance.now()
    lastCpu = process.threadCpuUsage()
  }
  let isRunning = true
  const tick = (): void => {
    note()
    if (isRunning) setImmediate(tick)
  }
  await new Promise((resolve) => setImmediate(resolve))
  last = performance.now()
  lastCpu = process.threadCpuUsage()
  setImmediate(tick)
  await run()
  isRunning = false
  note()
  return longest
}

const measure = async ({ name, run: work }: BlockingCase): Promise<Block & { readonly name: string }> => {
  let best: Block = { ms: Number.POSITIVE_INFINITY, cpuMs: Number.POSITIVE_INFINITY }
  for (let round = 0; round < RUNS && best.cpuMs > LIMIT_MS / 2; round++) {
    const block = await longestBlock(work)
    if (block.cpuMs < best.cpuMs) best = block
  }
  return { name, ...best }
}

const cases: Part = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { only: { type: 'string', default: '' } } })
  const results: (Block & { readonly name: string })[] = []
  const all = [...textCases, ...scanCases, ...readingCases]
  for (const each of named('only', values.only, all, ({ name }) => name)) results.push(await measure(each))
  results.sort((a, b) => b.cpuMs - a.cpuMs)
  const over = results.filter(({ cpuMs }) => cpuMs > LIMIT_MS).length
  const rows = results
    .slice(0, Math.max(SHOWN, over))
    .map(({ name, ms, cpuMs }) => [name.replaceAll('|', '\\|'), cpuMs.toFixed(1), ms.toFixed(1)])
  return {
    blocks: [
      table([`longest block of the event loop, best of ${RUNS}`, 'processor ms', 'ms'], rows),
      `Over ${LIMIT_MS} ms: ${over} of ${results.length} cases.`,
    ],
    held: over === 0,
  }
}

export const parts = { cases }
