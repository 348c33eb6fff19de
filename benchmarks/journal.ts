/**
 * The journal of a home in use for a year with 200,000 records: the newest 20, a search, all of it, an append, and memory; as one document for each append, and
 * compacted. `HERMES_BENCH_RECORDS` takes another number of records.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createJournal } from '../packages/core/src/journal/journal.ts'
import type { JournalFilter } from '../packages/core/src/journal/journal-filter.ts'
import { tidyJournal } from '../packages/core/src/journal/tidy-journal.ts'
import { fileSystemBackend } from '../packages/core/src/storage/backends/file-system/index.ts'

const RECORDS = Number(process.env['HERMES_BENCH_RECORDS'] ?? 200_000)
const DAYS = 365
const DAY_MS = 24 * 60 * 60 * 1000
const START = Date.UTC(2026, 0, 1)
const NOW = START + DAYS * DAY_MS + 12 * 60 * 60 * 1000
const APPENDS = 200
/** Enough to compact and index everything. */
const PASSES = 8

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

/** As a home without day documents has them: one document for each append. */
const writeAppends = (home: string): void => {
  const perDay = Math.ceil(RECORDS / DAYS)
  for (let index = 0; index < RECORDS; index++) {
    const at = START + Math.floor(index / perDay) * DAY_MS + (index % perDay) * Math.floor((DAY_MS - 1) / perDay)
    const record = recordAt(at, index)
    const [day = '', time = ''] = new Date(at).toISOString().split('T')
    const folder = join(home, 'journal', day)
    if (index % perDay === 0) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${time.replace(/[^0-9]/g, '')}-${record.id}.jsonl`), `${JSON.stringify(record)}\n`)
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`

/** Time, and how far the memory of the process went up meanwhile. */
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
  await measured('search: a word of every day', () => list({ text: 'on fridays', limit: 20 }))
  await measured('records by the beginning of an id', () => list({ id: 'ffff' }))
  await measured(`${APPENDS} appends`, async () => {
    for (let count = 0; count < APPENDS; count++) {
      const written = await journal.append([{ actor: 'review', verdict: 'applied', reason: 'benchmark' }])
      if (!written.ok) throw written.error
    }
    return 'each in its own document'
  })
  await storage.close()
}

const tidy = async (home: string, pass: number, maxDocuments?: number): Promise<number> => {
  const storage = fileSystemBackend(home)
  const bound = maxDocuments === undefined ? {} : { maxDocuments }
  const tidied = await tidyJournal({ storage, clock: () => NOW + pass * DAY_MS, retainDays: 'forever', ...bound })
  await storage.close()
  if (!tidied.ok) throw tidied.error
  return tidied.value?.compacted ?? 0
}

/** In use a pass comes once a day and is bounded; here the passes are as large as it takes to be done soon. */
const tidyAll = async (home: string): Promise<string> => {
  let compacted = 0
  for (let pass = 1; pass <= PASSES; pass++) compacted += await tidy(home, pass, Math.ceil(RECORDS / 4))
  return `${compacted} documents`
}

/** Prints its own table. */
export const run = async (): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  try {
    writeAppends(home)
    console.log(`${RECORDS.toLocaleString('en')} records, one document for each append, never tidied`)
    await readings(home)
    await measured('the first pass', async () => `${await tidy(home, 0)} documents`)
    console.log(`${RECORDS.toLocaleString('en')} records, after the first pass`)
    await readings(home)
    await measured('passes until all is compacted', () => tidyAll(home))
    console.log(`${RECORDS.toLocaleString('en')} records, compacted`)
    await readings(home)
    await measured('all records', async () => {
      const storage = fileSystemBackend(home)
      const all = await createJournal({ storage, clock: () => NOW, createId: () => '' }).list()
      await storage.close()
      if (!all.ok) throw all.error
      return `${all.value.length} records`
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await run()
