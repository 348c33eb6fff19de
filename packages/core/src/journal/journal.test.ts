import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { codePoint } from '../../test/support/code-point.ts'
import { turnsDuring } from '../../test/support/longest-hold.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { REDACTED } from '../threats/credentials/redact-credentials.ts'
import { type JournalFilter, toLineFilter } from './find-records.ts'
import { checkJournal, createJournal, type JournalRecordInput, prepareRecords } from './journal.ts'
import { dayOf, journalPath, listJournalDays, removeOldDays } from './journal-days.ts'
import { type JournalRecord, journalRecordSchema, onlyConfirmed, sumLedger } from './journal-record.ts'
import { isUsualRecord } from './usual-record.ts'

const NOON = Date.UTC(2026, 2, 1, 12, 0, 0, 7)

const setUp = ({ ids }: { ids?: readonly string[] } = {}) => {
  const storage = inMemoryBackend()
  const time = { now: NOON }
  const problems: HermesError[] = []
  let count = 0
  const createId = () => ids?.[count++ % ids.length] ?? `id${count++}`
  const journal = createJournal({ storage, clock: () => time.now, createId, onProblem: (problem) => problems.push(problem) })
  return { storage, time, problems, journal }
}

const input = (reason: string, more: Partial<JournalRecordInput> = {}): JournalRecordInput => ({
  actor: 'review',
  kind: 'applied',
  reason,
  ...more,
})

const value = <T>(result: { ok: true; value: T } | { ok: false; error: HermesError }): T => {
  if (!result.ok) throw result.error
  return result.value
}

const DAY = 'journal/2026-03-01.jsonl'

const line = (reason: string) => `${JSON.stringify({ id: reason, at: NOON + 1, ...input(reason) })}\n`

/** Appends to the day of `NOON`, as another program does. */
const addText = async (storage: StorageBackend, text: string): Promise<void> =>
  value(await storage.update([DAY], () => ({ append: { [DAY]: new TextEncoder().encode(text) }, value: undefined })))

const reasons = (records: readonly { reason: string }[]) => records.map(({ reason }) => reason)

describe('checkJournal', () => {
  it('counts the records, and tells the newest, the end of the last review and each line that cannot be read', async () => {
    const { storage, time, journal } = setUp()
    expect(value(await checkJournal(storage))).toEqual({ records: 0, newest: undefined, lastReview: undefined })
    await journal.append([input('one', { kind: 'review-finished' }), input('two', { kind: 'review-failed' }), input('three')])
    await addText(storage, '{"torn": \n')
    time.now += 86_400_000
    await journal.append([input('four')])
    const problems: HermesError[] = []
    const checked = value(await checkJournal(storage, (problem) => problems.push(problem)))
    expect(checked).toMatchObject({ records: 4, newest: { reason: 'four' }, lastReview: { reason: 'two' } })
    expect(problems).toMatchObject([{ code: 'unreadable', details: { path: DAY, line: 4 } }])
  })
})

describe('createJournal', () => {
  it('appends to one document for each day, in UTC', async () => {
    const { storage, time, journal } = setUp({ ids: ['a', 'b', 'c', 'd'] })
    const records = value(await journal.append([input('one'), input('two')]))
    expect(records).toEqual([
      { id: 'a', at: NOON, ...input('one') },
      { id: 'b', at: NOON, ...input('two') },
    ])
    await journal.append([input('three')])
    time.now += 12 * 3_600_000
    await journal.append([input('four')])
    expect(value(await storage.list('')).map(({ path }) => path)).toEqual(['journal/2026-03-01.jsonl', 'journal/2026-03-02.jsonl'])
    const lines = new TextDecoder().decode(value(await readDocument(storage, 'journal/2026-03-01.jsonl'))?.bytes).split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => JSON.parse(line).reason)).toEqual(['one', 'two', 'three'])
  })

  it('lists by times that no record can have', async () => {
    const { journal } = setUp()
    await journal.append([input('one')])
    for (const far of [Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, 8.64e15, Date.UTC(12_000, 0)]) {
      expect(reasons(value(await journal.list({ until: far })))).toEqual(['one'])
      expect(reasons(value(await journal.list({ since: -far })))).toEqual(['one'])
      expect(value(await journal.list({ since: far }))).toEqual([])
      expect(value(await journal.list({ until: -far }))).toEqual([])
    }
    for (const filter of [{ since: Number.NaN }, { until: Number.NaN }]) {
      expect(await journal.list(filter)).toMatchObject({ ok: false, error: { code: 'invalid' } })
    }
  })

  it('lists newest last, across days, and takes the newest of a limit', async () => {
    const { time, journal } = setUp()
    await journal.append([input('one'), input('two')])
    time.now += 86_400_000
    await journal.append([input('three')])
    expect(reasons(value(await journal.list()))).toEqual(['one', 'two', 'three'])
    expect(reasons(value(await journal.list({ limit: 2 })))).toEqual(['two', 'three'])
    expect(reasons(value(await journal.list({ limit: 0 })))).toEqual([])
    expect(reasons(value(await journal.list({ since: NOON + 1 })))).toEqual(['three'])
    expect(reasons(value(await journal.list({ since: NOON })))).toEqual(['one', 'two', 'three'])
    expect(reasons(value(await journal.list({ until: NOON })))).toEqual(['one', 'two'])
    expect(reasons(value(await journal.list({ until: NOON, limit: 1 })))).toEqual(['two'])
    expect(reasons(value(await journal.list({ until: NOON - 1 })))).toEqual([])
  })

  it('finds records by kind, by the beginning of their id, and by a text that they hold', async () => {
    const { journal } = setUp({ ids: ['aa11', 'ab22', 'bb33', 'bb44'] })
    await journal.append([
      input('one', { op: { action: 'add', content: 'The "repo" builds with PNPM 12' } }),
      input('two', { kind: 'held', op: { action: 'remove', oldText: 'yarn' }, previous: ['Builds with\nyarn'] }),
      input('three', { target: 'skill', op: { action: 'patch', name: 'deploy', oldText: 'a', newText: 'b' } }),
      input('pnpm', { kind: 'invalid', raw: '{"content":"held by nobody"}' }),
    ])
    const found = async (filter: JournalFilter) => reasons(value(await journal.list(filter)))
    expect(await found({ kind: 'held' })).toEqual(['two'])
    expect(await found({ id: 'a' })).toEqual(['one', 'two'])
    expect(await found({ id: 'bb33' })).toEqual(['three'])
    expect(await found({ id: '11' })).toEqual([])
    expect(await found({ text: 'the "REPO" builds with pnpm' })).toEqual(['one'])
    expect(await found({ text: 'with\nyarn' })).toEqual(['two'])
    expect(await found({ text: 'deploy' })).toEqual(['three'])
    expect(await found({ text: 'held by' })).toEqual(['pnpm'])
    expect(await found({ text: '' })).toHaveLength(4)
    expect(await found({ text: `${'a '.repeat(500_000)}` })).toEqual([])
  })

  it('skips a broken line, keeps its neighbours and says which line it was', async () => {
    const { storage, journal, problems } = setUp()
    await journal.append([input('good')])
    await addText(storage, `{"half": \n\n${line('also good')}{"id":1}\n`)
    expect(reasons(value(await journal.list()))).toEqual(['good', 'also good'])
    expect(problems.map(({ code, details }) => [code, details['line']])).toEqual([
      ['unreadable', 5],
      ['unreadable', 2],
    ])
  })

  it('keeps a record that was appended behind a torn line', async () => {
    const { storage, journal, problems } = setUp()
    await addText(storage, line('torn').slice(0, -20))
    await journal.append([input('whole'), input('next')])
    expect(reasons(value(await journal.list()))).toEqual(['whole', 'next'])
    expect(reasons(value(await journal.list({ limit: 1 })))).toEqual(['next'])
    expect(problems).toHaveLength(1)
  })

  it('misses only the records of a document that cannot be read', async () => {
    const inner = inMemoryBackend()
    const broken = new HermesError('unreadable', 'The disk does not answer.')
    const read: StorageBackend['read'] = async (paths) => {
      const cut = value(await inner.read(paths))
      const document = (path: string) => {
        if (path === DAY) throw broken
        return cut.document(path)
      }
      return { ok: true, value: { ...cut, document } }
    }
    const problems: HermesError[] = []
    for (const at of [NOON - 86_400_000, NOON, NOON + 86_400_000])
      await createJournal({ storage: inner, clock: () => at, createId: () => 'x' }).append([input(`at ${at - NOON}`)])
    const onProblem = (problem: HermesError) => void problems.push(problem)
    const journal = createJournal({ storage: { ...inner, read }, clock: () => NOON, createId: () => 'x', onProblem })
    expect(reasons(value(await journal.list()))).toEqual(['at -86400000', 'at 86400000'])
    expect(problems).toEqual([broken])
  })

  it('keeps every record, even if an id comes twice in one millisecond', async () => {
    const { journal } = setUp({ ids: ['same'] })
    await journal.append([input('one')])
    await journal.append([input('two')])
    expect(reasons(value(await journal.list()))).toEqual(['one', 'two'])
  })

  it('never stores a credential', async () => {
    const { storage, journal } = setUp()
    const secret = 'api_key = "sk-abcdefghijklmnopqrstuvwxyz0123456789"'
    await journal.append([
      input('no', { kind: 'rejected', op: { action: 'add', content: secret }, evidence: [{ messageId: 'm1', quote: secret }] }),
    ])
    const document = value(await readDocument(storage, DAY))
    expect(new TextDecoder().decode(document?.bytes)).not.toContain('sk-abc')
    const [record] = value(await journal.list())
    expect(record).toMatchObject({
      reason: 'no',
      op: { action: 'add', content: REDACTED },
      evidence: [{ messageId: 'm1', quote: REDACTED }],
    })
  })

  it('cuts a giant text, and says how long it was', async () => {
    const { journal } = setUp()
    await journal.append([
      input('no', { op: { action: 'replace', oldText: 'o'.repeat(20_000), content: `${'x'.repeat(15_999)}😀${'x'.repeat(99_999)}` } }),
    ])
    const [record] = value(await journal.list())
    expect(JSON.stringify(record).length).toBeLessThan(33_000)
    expect(record?.op).toMatchObject({
      content: expect.stringMatching(/x \[… cut: 116,000 characters in all\]$/),
      oldText: expect.stringContaining('20,000'),
    })
  })
})

describe('prepareRecords', () => {
  it('gives the records, and what the update of a verb appends', async () => {
    const { storage, journal } = setUp()
    let ids = 0
    const { records, append } = prepareRecords([input('one'), input('two')], { clock: () => NOON, createId: () => `r${++ids}` })
    const put = { 'memories/MEMORY.md': new TextEncoder().encode('An entry') }
    value(await storage.update([...Object.keys(append), ...Object.keys(put)], () => ({ put, append, value: undefined })))
    expect(records.map(({ id, at }) => [id, at])).toEqual([
      ['r1', NOON],
      ['r2', NOON],
    ])
    expect(value(await journal.list())).toEqual(records)
  })

  const giant = 'x'.repeat(20_000)
  const cut = (op: JournalRecordInput['op']) =>
    prepareRecords([input('no', { op })], { clock: () => NOON, createId: () => 'x' }).records[0]?.op

  it.each([
    { action: 'add', content: giant },
    { action: 'remove', oldText: giant },
    { action: 'create', name: 'deploy', content: giant },
    { action: 'edit', name: 'deploy', content: giant },
    { action: 'patch', name: 'deploy', oldText: giant, newText: giant },
    { action: 'write_file', name: 'deploy', filePath: 'references/a.md', content: giant },
  ] as const)('cuts the giant text of $action, and says how long it was', (op) => {
    const text = JSON.stringify(cut(op))
    expect(text).toContain('[… cut: 20,000 characters in all]')
    expect(text).not.toContain('x'.repeat(16_001))
  })

  it.each([
    { action: 'remove_file', name: 'deploy', filePath: 'references/a.md' },
    { action: 'archive', name: 'deploy', absorbedInto: 'ship' },
    { action: 'patch', name: 'deploy', oldText: 'a', newText: 'b', filePath: undefined, replaceAll: true },
  ] as const)('leaves $action as it is', (op) => {
    expect(cut(op)).toEqual(op)
  })
})

describe('journal days', () => {
  const DAY_MS = 86_400_000
  const NOON = Date.UTC(2026, 2, 10, 12)

  const homeWith = async (...names: readonly string[]): Promise<StorageBackend> => {
    const storage = inMemoryBackend()
    for (const name of names) await updateDocument(storage, `journal/${name}`, () => new TextEncoder().encode('{}\n'))
    return storage
  }

  const daysOf = async (storage: StorageBackend) => {
    const days = await listJournalDays(storage)
    return days.ok && days.value.map(({ day }) => day)
  }

  describe('the days of the journal', () => {
    it('are listed newest first, without other documents', async () => {
      const storage = await homeWith('2026-03-01.jsonl', '2026-02-28.jsonl', '2026-03-01.jsonl.bak', 'notes.md', 'old/2026-01-01.jsonl')
      expect(await daysOf(storage)).toEqual(['2026-03-01', '2026-02-28'])
    })

    it('are removed when they are too old, today included in those that are kept', async () => {
      const storage = await homeWith('2026-03-07.jsonl', '2026-03-08.jsonl', '2026-03-10.jsonl', 'notes.md')
      expect(await removeOldDays({ storage, clock: () => NOON, retainDays: 3 })).toEqual({ ok: true, value: 1 })
      expect(await daysOf(storage)).toEqual(['2026-03-10', '2026-03-08'])
      const rest = await storage.list('journal')
      expect(rest.ok && rest.value.map(({ path }) => path)).toContain('journal/notes.md')
    })

    it('stay for ever if that is asked for, and are not written to if none is too old', async () => {
      const storage = await homeWith('2020-01-01.jsonl')
      const update: StorageBackend['update'] = async () => {
        throw new Error('There is nothing to write.')
      }
      const reading = { ...storage, update }
      expect(await removeOldDays({ storage: reading, clock: () => NOON, retainDays: 'forever' })).toEqual({ ok: true, value: 0 })
      const clock = () => Date.UTC(2020, 0, 1) + 364 * DAY_MS
      expect(await removeOldDays({ storage: reading, clock, retainDays: 365 })).toEqual({ ok: true, value: 0 })
      expect(await removeOldDays({ storage, clock: () => clock() + DAY_MS, retainDays: 365 })).toEqual({ ok: true, value: 1 })
    })
  })
})

const recordWith = (content: string): JournalRecord => ({
  id: 'r',
  at: 1,
  actor: 'host',
  kind: 'applied',
  reason: '',
  op: { action: 'add', content },
})

describe('the quick test of a line', () => {
  it('never denies a text that its record holds, in any case', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 60 }), fc.nat(), fc.integer({ min: 1, max: 20 }), (text, from, length) => {
        const folded = [...text.toLowerCase()]
        const start = from % (folded.length + 1)
        const piece = folded.slice(start, start + length).join('')
        const { mayMatch, matches } = toLineFilter({ text: piece })
        expect(matches(recordWith(text))).toBe(true)
        expect(mayMatch(`{}\n${JSON.stringify(recordWith(text))}\n{}`)).toBe(true)
      }),
      { numRuns: rounds(500), seed: 14 },
    )
  })

  it.each([
    ['İstanbul', 'i̇stanbul'],
    ['İstanbul', '̇s'],
    ['xİ', 'xi'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['300 K', '300 k'],
    ['a\\b/c.*d\n"e"', 'a\\b/c.*d\n"e"'],
  ])('finds in %s the text %s, if the record matches', (content, text) => {
    const { mayMatch, matches } = toLineFilter({ text })
    const line = JSON.stringify(recordWith(content))
    expect(mayMatch(line)).toBe(true)
    expect(matches(recordWith(content))).toBe(content.toLowerCase().includes(text.toLowerCase()))
  })

  it('denies what no text of the line holds', () => {
    expect(toLineFilter({ text: 'zeppelin' }).mayMatch(JSON.stringify(recordWith('a zep of pelin')))).toBe(false)
    expect(toLineFilter({ text: 'a.c' }).mayMatch(JSON.stringify(recordWith('abc')))).toBe(false)
    expect(toLineFilter({ sessionId: 's1' }).mayMatch(JSON.stringify(recordWith('s1 is no session')))).toBe(false)
  })
})

describe('a search', () => {
  const DAYS = 10
  const filled = async (perDay: number, padding = '') => {
    const storage = inMemoryBackend()
    for (let day = 0; day < DAYS; day++) {
      const at = Date.UTC(2026, 0, 1 + day)
      const lineOf = (_: unknown, nth: number) =>
        `${JSON.stringify({ ...recordWith(`Fact ${nth} of day ${day}`), at, rationale: padding })}\n`
      const bytes = new TextEncoder().encode(Array.from({ length: perDay }, lineOf).join(''))
      await updateDocument(storage, journalPath(dayOf(at)), () => bytes)
    }
    return createJournal({ storage, clock: () => 0, createId: () => '' })
  }

  it('finds the newest of a limit over blocks and days, in order', async () => {
    const journal = await filled(600)
    const found = await journal.list({ text: 'FACT 17', limit: 25 })
    const contents = found.ok ? found.value.map(({ op }) => op && 'content' in op && op.content) : []
    const ofDay = (day: number) => ['17', ...Array.from({ length: 10 }, (_, nth) => `17${nth}`)].map((nth) => `Fact ${nth} of day ${day}`)
    expect(contents).toEqual([...ofDay(7).slice(-3), ...ofDay(8), ...ofDay(9)])
  })

  it('lets other work run, however much there is to read', async () => {
    const journal = await filled(2_000, 'said '.repeat(200))
    expect((await turnsDuring(() => journal.list({ text: 'nothing holds this' }))).turns).toBeGreaterThan(6)
    expect((await turnsDuring(() => journal.list())).turns).toBeGreaterThan(30)
  })
})

const complete = {
  ...{ id: 'r1', at: 1, sessionId: 's', review: 'v', actor: 'review', kind: 'applied', reason: 'why', pass: 'own-words', target: 'memory' },
  ...{ op: { action: 'replace', oldText: 'a', content: 'b' }, rationale: '', score: 0.9, origin: 'user', previous: ['a'], pendingId: 'p' },
  evidence: [{ messageId: 'm', quote: 'q' }, { quote: 'q' }],
  ...{ restoredFrom: 'x', model: 'm' },
  cost: { calls: 1, inputTokens: 2, cachedInputTokens: 0, outputTokens: 3, estimated: false, durationMs: 4, model: 'm' },
}

it('passes a record with every usual field', () => {
  expect(isUsualRecord(complete)).toBe(true)
  expect(isUsualRecord({ id: 'r', at: 1, actor: 'host', kind: 'held', reason: '' })).toBe(true)
})

it('passes only what the schema returns as it is', () => {
  const value = fc.oneof(
    ...[fc.constantFrom('', 'user', 'skill', 'add', 'x'.repeat(65), 'x'.repeat(4_001), 'applied', 'review'), fc.double(), fc.boolean()],
    ...[
      fc.constant(null),
      fc.constant(undefined),
      fc.array(fc.constantFrom('a', 1, null)),
      fc.constant([{ quote: '' }, { quote: 'q', at: 1 }]),
    ],
    ...[
      fc.constant({ action: 'add' }),
      fc.constant({ action: 'add', content: 'a', more: 1 }),
      fc.constant({ action: 'remove', oldText: 'a' }),
    ],
    fc.constant({ action: 'archive', name: 'n', absorbedInto: null }),
  )
  const key = fc.constantFrom(...Object.keys(complete), 'upkeep', 'facts', 'error', 'partial', 'raw', 'evicted', 'unknown', '__proto__')
  const changes = fc.array(fc.tuple(key, value), { maxLength: 3 })
  fc.assert(
    fc.property(changes, (changed) => {
      const data = JSON.parse(JSON.stringify(Object.fromEntries([...Object.entries(complete), ...changed])))
      if (isUsualRecord(data)) expect(journalRecordSchema.parse(data)).toEqual(data)
    }),
    { numRuns: rounds(2_000), seed: 5 },
  )
})

it.each([
  ['', 'id'],
  ['', 'kind'],
  ['lost', 'actor'],
  ['lost', 'pass'],
])('leaves %s the field %s to the schema', (text, key) => {
  expect(isUsualRecord({ ...complete, [key]: text === '' ? undefined : text })).toBe(false)
})

const dates = (firstSeenAt: number, lastConfirmedAt: number) => ({ content: { origin: 'user', firstSeenAt, lastConfirmedAt } }) as const

const record = (about: Partial<JournalRecord>): JournalRecord => ({
  id: 'a',
  at: 9,
  actor: 'person',
  kind: 'applied',
  reason: 'A person wrote it.',
  target: 'memory',
  op: { action: 'add', content: 'one' },
  ...about,
})

it.each([
  ['a new entry', record({ facts: dates(9, 9) }), false],
  ['an entry that was there', record({ facts: dates(5, 9) }), true],
  ['an entry without dates', record({ facts: dates(0, 0) }), false],
  ['a record without facts', record({}), false],
  ['a restored entry', record({ facts: dates(5, 9), restoredFrom: 'memory-1a2b3c' }), false],
  ['a replaced entry', record({ facts: dates(5, 9), op: { action: 'replace', oldText: 'one', content: 'two' } }), false],
])('tells whether the record only confirms: %s', (_what, given, confirmed) => {
  expect(onlyConfirmed(given)).toBe(confirmed)
})

const DAY_MS = 86_400_000

const cost = (inputTokens: number, model?: string) => ({
  ...(model === undefined ? {} : { model }),
  calls: 1,
  inputTokens,
  cachedInputTokens: inputTokens / 2,
  outputTokens: 10,
  estimated: model === undefined,
  durationMs: 100,
})

const records: readonly JournalRecord[] = [
  { id: '1', at: 0, actor: 'review', sessionId: 'a', kind: 'review-finished', reason: '', cost: cost(100, 'small') },
  { id: '2', at: 0, actor: 'review', sessionId: 'a', kind: 'applied', reason: '' },
  { id: '3', at: DAY_MS, actor: 'review', sessionId: 'b', kind: 'review-failed', reason: '', cost: cost(400) },
  { id: '4', at: DAY_MS, actor: 'curator', kind: 'curator-finished', reason: '', cost: cost(1000, 'small') },
  { id: '5', at: DAY_MS, actor: 'review', sessionId: 'a', kind: 'review-failed', reason: 'no model' },
]

describe('sumLedger', () => {
  it('sums by day, oldest first, and over all', () => {
    expect(sumLedger(records)).toEqual({
      rows: [
        {
          key: '1970-01-01',
          runs: 1,
          unfinished: 0,
          calls: 1,
          inputTokens: 100,
          cachedInputTokens: 50,
          outputTokens: 10,
          estimated: false,
          durationMs: 100,
        },
        {
          key: '1970-01-02',
          runs: 2,
          unfinished: 1,
          calls: 2,
          inputTokens: 1400,
          cachedInputTokens: 700,
          outputTokens: 20,
          estimated: true,
          durationMs: 200,
        },
      ],
      total: {
        key: undefined,
        runs: 3,
        unfinished: 1,
        calls: 3,
        inputTokens: 1500,
        cachedInputTokens: 750,
        outputTokens: 30,
        estimated: true,
        durationMs: 300,
      },
    })
  })
})
