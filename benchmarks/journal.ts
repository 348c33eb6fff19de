/**
 * The journal of a home after a year with 300,000 records: reading the newest 20, searching, reading all, appending, and memory use, once with records that are
 * all Latin and once with a curly quotation mark in each. `HERMES_BENCH_RECORDS`: number of records.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JournalFilter } from '../packages/core/src/journal/find-records.ts'
import { createJournal } from '../packages/core/src/journal/journal.ts'
import { fileSystemBackend } from '../packages/core/src/storage/files/index.ts'

const RECORDS = Number(process.env['HERMES_BENCH_RECORDS'] ?? 300_000)
const DAYS = 365
const DAY_MS = 24 * 60 * 60 * 1000
const START = Date.UTC(2026, 0, 1)
const NOW = START + DAYS * DAY_MS + 12 * 60 * 60 * 1000
const APPENDS = 200

const WORDS = ['deploys', 'staging', 'lives in', 'prefers', 'the repo', 'tests run with', 'database', 'on Fridays', 'never', 'a port']

const recordAt = (at: number, index: number, apostrophe: string) => {
  const content = `${WORDS[index % 10]} ${WORDS[(index * 7) % 10]} ${(index * 2_654_435_761) % 1_000_003}`
  return {
    id: crypto.randomUUID(),
    at,
    actor: 'review',
    kind: index % 4 === 0 ? 'rejected' : 'applied',
    reason: `The evidence is in the user${apostrophe}s own words.`,
    target: 'memory',
    op: { action: 'add', content: index === Math.floor(RECORDS / 2) ? `${content}, and once a zeppelin` : content },
    sessionId: `chat-${index % 500}`,
    score: 0.9,
    origin: 'user',
    evidence: [{ messageId: 'm1', quote: `I said that ${content}` }],
  }
}

const perDay = Math.ceil(RECORDS / DAYS)

const recordsOf = (day: number, apostrophe: string) =>
  Array.from({ length: Math.min(perDay, RECORDS - day * perDay) }, (_, nth) =>
    recordAt(START + day * DAY_MS + nth * Math.floor((DAY_MS - 1) / perDay), day * perDay + nth, apostrophe),
  )

const dayName = (day: number): string => new Date(START + day * DAY_MS).toISOString().slice(0, 10)

const writeDays = (home: string, apostrophe: string): number => {
  const folder = join(home, 'journal')
  mkdirSync(folder, { recursive: true })
  let bytes = 0
  for (let day = 0; day < DAYS; day++) {
    const lines = Buffer.from(
      recordsOf(day, apostrophe)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    writeFileSync(join(folder, `${dayName(day)}.jsonl`), lines)
    bytes += lines.length
  }
  return bytes
}

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`

/** Measures the time and the growth of the process memory. */
const measured = async (what: string, act: () => Promise<string>): Promise<void> => {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  const start = performance.now()
  const outcome = await act()
  const time = performance.now() - start
  clearInterval(watch)
  peak = Math.max(peak, process.memoryUsage().rss)
  console.log(`  ${what.padEnd(34)} ${time.toFixed(1).padStart(9)} ms   +${megabytes(peak - before).padStart(6)}   ${outcome}`)
}

const readings = async (home: string): Promise<void> => {
  const storage = fileSystemBackend(home)
  const clock = () => NOW
  const journal = createJournal({ storage, clock, createId: () => crypto.randomUUID() })
  const list = async (filter: JournalFilter): Promise<string> => {
    const found = await journal.list(filter)
    if (!found.ok) throw found.error
    return `${found.value.length} records`
  }
  await measured('the newest 20', () => list({ limit: 20 }))
  await measured('the newest 20, again', () => list({ limit: 20 }))
  await measured('search: a word of one record', () => list({ text: 'zeppelin' }))
  await measured('the same, again', () => list({ text: 'zeppelin' }))
  await measured('search: a word of every day', () => list({ text: 'on fridays', limit: 20 }))
  await measured('records by the beginning of an id', () => list({ id: 'ffff' }))
  await measured(`${APPENDS} appends`, async () => {
    for (let count = 0; count < APPENDS; count++) {
      const written = await journal.append([{ actor: 'review', kind: 'applied', reason: 'benchmark' }])
      if (!written.ok) throw written.error
    }
    return 'one after the other'
  })
  await measured('all records', () => list({}))
  await storage.close()
}

const ALPHABETS = [
  ['all Latin', "'"],
  ['not all Latin', '’'],
] as const

/** Prints a table. */
export const run = async (): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  try {
    for (const [alphabet, apostrophe] of ALPHABETS) {
      const home = join(root, alphabet)
      const bytes = writeDays(home, apostrophe)
      console.log(`${RECORDS.toLocaleString('en')} records in ${DAYS} days, ${megabytes(bytes)}, ${alphabet}`)
      await readings(home)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await run()
