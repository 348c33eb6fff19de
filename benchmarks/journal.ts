/**
 * The journal of a home after a year with 200,000 records: reading the newest 20, searching, reading all, appending, and memory use. Measured with one document for
 * each append, as in older homes, and with one document for each day, as daily compaction leaves it. `HERMES_BENCH_RECORDS`: number of records.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createJournal } from '../packages/core/src/journal/journal.ts'
import type { JournalFilter } from '../packages/core/src/journal/journal-filter.ts'
import { tidyJournal } from '../packages/core/src/journal/tidy-journal.ts'
import { fileSystemBackend } from '../packages/core/src/storage/files/index.ts'

const RECORDS = Number(process.env['HERMES_BENCH_RECORDS'] ?? 200_000)
const DAYS = 365
const DAY_MS = 24 * 60 * 60 * 1000
const START = Date.UTC(2026, 0, 1)
const NOW = START + DAYS * DAY_MS + 12 * 60 * 60 * 1000
const APPENDS = 200

const WORDS = ['deploys', 'staging', 'lives in', 'prefers', 'the repo', 'tests run with', 'database', 'on Fridays', 'never', 'a port']

const recordAt = (at: number, index: number) => {
  const content = `${WORDS[index % 10]} ${WORDS[(index * 7) % 10]} ${(index * 2_654_435_761) % 1_000_003}`
  return {
    id: crypto.randomUUID(),
    at,
    actor: 'review',
    verdict: index % 4 === 0 ? 'rejected' : 'applied',
    reason: 'The evidence is in the user’s own words.',
    target: 'memory',
    op: { action: 'add', content: index === Math.floor(RECORDS / 2) ? `${content}, and once a zeppelin` : content },
    sessionId: `chat-${index % 500}`,
    score: 0.9,
    origin: 'user',
    evidence: [{ messageId: 'm1', quote: `I said that ${content}` }],
  }
}

const perDay = Math.ceil(RECORDS / DAYS)

const recordsOf = (day: number) =>
  Array.from({ length: Math.min(perDay, RECORDS - day * perDay) }, (_, nth) =>
    recordAt(START + day * DAY_MS + nth * Math.floor((DAY_MS - 1) / perDay), day * perDay + nth),
  )

const dayName = (day: number): string => new Date(START + day * DAY_MS).toISOString().slice(0, 10)

/** As in older homes: one document for each append, no day documents. */
const writeAppends = (home: string): void => {
  for (let day = 0; day < DAYS; day++) {
    const folder = join(home, 'journal', dayName(day))
    mkdirSync(folder, { recursive: true })
    for (const record of recordsOf(day)) {
      const time = new Date(record.at)
        .toISOString()
        .slice(11)
        .replace(/[^0-9]/g, '')
      writeFileSync(join(folder, `${time}-${record.id}.jsonl`), `${JSON.stringify(record)}\n`)
    }
  }
}

/** As daily compaction leaves them: one document for each day. */
const writeDays = (home: string): void => {
  const folder = join(home, 'journal', 'days')
  mkdirSync(folder, { recursive: true })
  for (let day = 0; day < DAYS; day++) {
    const lines = recordsOf(day).map((record) => `${JSON.stringify(record)}\n`)
    writeFileSync(join(folder, `${dayName(day)}.jsonl`), lines.join(''))
  }
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

/** Searching an older home is omitted, because it reads every document, which takes minutes. */
const readings = async (home: string, { searches }: { readonly searches: boolean }): Promise<void> => {
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
  if (searches) {
    await measured('search: a word of one record', () => list({ text: 'zeppelin' }))
    await measured('search: a word of every day', () => list({ text: 'on fridays', limit: 20 }))
    await measured('records by the beginning of an id', () => list({ id: 'ffff' }))
  }
  await measured(`${APPENDS} appends`, async () => {
    for (let count = 0; count < APPENDS; count++) {
      const written = await journal.append([{ actor: 'review', verdict: 'applied', reason: 'benchmark' }])
      if (!written.ok) throw written.error
    }
    return 'each in its own document'
  })
  await storage.close()
}

/** One daily compaction. */
const tidy = async (home: string, pass: number): Promise<string> => {
  const storage = fileSystemBackend(home)
  const tidied = await tidyJournal({ storage, clock: () => NOW + pass * DAY_MS, retainDays: 'forever' })
  await storage.close()
  if (!tidied.ok) throw tidied.error
  return `${tidied.value?.compacted} documents compacted`
}

const allRecords = async (home: string): Promise<string> => {
  const storage = fileSystemBackend(home)
  const all = await createJournal({ storage, clock: () => NOW, createId: () => '' }).list()
  await storage.close()
  if (!all.ok) throw all.error
  return `${all.value.length} records`
}

/** Four passes index a year; the fifth has nothing to do. */
const PASSES = [1, 2, 3, 4, 5]

/** Prints a table. */
export const run = async (): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  const count = RECORDS.toLocaleString('en')
  try {
    const compacted = join(root, 'compacted')
    writeDays(compacted)
    console.log(`${count} records, one document for each day`)
    for (const pass of PASSES) await measured(`pass ${pass}`, () => tidy(compacted, pass))
    await readings(compacted, { searches: true })
    await measured('all records', () => allRecords(compacted))
    const older = join(root, 'older')
    writeAppends(older)
    console.log(`${count} records, one document for each append`)
    await readings(older, { searches: false })
    await measured('the first pass', () => tidy(older, 0))
    console.log(`${count} records, after the first pass`)
    await readings(older, { searches: false })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await run()
