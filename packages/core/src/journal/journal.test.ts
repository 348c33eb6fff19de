import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { REDACTED } from '../threats/credentials/redact-credentials.ts'
import type { JournalFilter } from './find-records.ts'
import { checkJournal, createJournal, type JournalRecordInput, prepareRecords } from './journal.ts'

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

  it('reads what is text in a document that is not all text', async () => {
    const { storage, journal, problems } = setUp()
    await updateDocument(storage, DAY, () => new Uint8Array([0xff, 0xfe, 0x0a]))
    await journal.append([input('good')])
    expect(reasons(value(await journal.list()))).toEqual(['good'])
    expect(problems.map(({ details }) => details['line'])).toEqual([1])
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

  it.each(['password: hunter2hunter2', 'Deploy with ghp_abcdefghijklmnop1234567890', 'Authorization: Bearer abcdef0123456789abcdef'])(
    'knows a credential without quotation marks: %s',
    async (secret) => {
      const { journal } = setUp()
      await journal.append([input('no', { op: { action: 'add', content: secret }, rationale: 'The password manager is 1Password' })])
      expect(value(await journal.list())).toMatchObject([
        { op: { action: 'add', content: REDACTED }, rationale: 'The password manager is 1Password' },
      ])
    },
  )

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
