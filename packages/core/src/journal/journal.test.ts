import { describe, expect, it } from 'vitest'
import type { HermesError } from '../shared/hermes-error.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { REDACTED } from '../threats/credentials/redact-credentials.ts'
import { createJournal, type JournalRecordInput } from './journal.ts'
import type { JournalFilter } from './journal-filter.ts'

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
  verdict: 'applied',
  reason,
  ...more,
})

const value = <T>(result: { ok: true; value: T } | { ok: false; error: HermesError }): T => {
  if (!result.ok) throw result.error
  return result.value
}

const reasons = (records: readonly { reason: string }[]) => records.map(({ reason }) => reason)

describe('createJournal', () => {
  it('writes one document per append, named after its time in UTC', async () => {
    const { storage, journal } = setUp({ ids: ['a', 'b'] })
    const records = value(await journal.append([input('one'), input('two')]))
    expect(records).toEqual([
      { id: 'a', at: NOON, ...input('one') },
      { id: 'b', at: NOON, ...input('two') },
    ])
    expect(value(await storage.list('journal/2026-03-01')).map(({ path }) => path)).toEqual(['journal/2026-03-01/120000007-a.jsonl'])
  })

  it('writes nothing for no records', async () => {
    const { storage, journal } = setUp()
    expect(value(await journal.append([]))).toEqual([])
    expect(value(await storage.list(''))).toEqual([])
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

  it('names the day before its first record, in a document that is empty as long as the day lasts', async () => {
    const { storage, time, journal } = setUp()
    await journal.append([input('one')])
    time.now += 86_400_000
    await journal.append([input('two')])
    const days = value(await storage.list('journal/days'))
    expect(days.map(({ path, size }) => [path, size])).toEqual([
      ['journal/days/2026-03-01.jsonl', 0],
      ['journal/days/2026-03-02.jsonl', 0],
    ])
  })

  it('finds records by verdict, by the beginning of their id, and by a text that they hold', async () => {
    const { journal } = setUp({ ids: ['aa11', 'ab22', 'bb33', 'bb44'] })
    await journal.append([
      input('one', { op: { action: 'add', content: 'The "repo" builds with PNPM 12' } }),
      input('two', { verdict: 'held', op: { action: 'remove', oldText: 'yarn' }, previous: ['Builds with\nyarn'] }),
      input('three', { target: 'skill', op: { action: 'patch', name: 'deploy', oldText: 'a', newText: 'b' } }),
      input('pnpm', { verdict: 'invalid', raw: '{"content":"held by nobody"}' }),
    ])
    const found = async (filter: JournalFilter) => reasons(value(await journal.list(filter)))
    expect(await found({ verdict: 'held' })).toEqual(['two'])
    expect(await found({ id: 'a' })).toEqual(['one', 'two'])
    expect(await found({ id: 'bb33' })).toEqual(['three'])
    expect(await found({ id: '11' })).toEqual([])
    expect(await found({ text: 'the "REPO" builds with pnpm' })).toEqual(['one'])
    expect(await found({ text: 'with\nyarn' })).toEqual(['two'])
    expect(await found({ text: 'deploy' })).toEqual(['three'])
    expect(await found({ text: 'held by' })).toEqual(['pnpm'])
    expect(await found({ text: '' })).toHaveLength(4)
  })

  it('tells sessions apart', async () => {
    const { journal } = setUp()
    await journal.append([input('mine', { sessionId: 's1' }), input('yours', { sessionId: 's2' })])
    expect(reasons(value(await journal.list({ sessionId: 's1' })))).toEqual(['mine'])
  })

  it('skips a broken line, keeps its neighbours and says which line it was', async () => {
    const { storage, journal, problems } = setUp()
    await journal.append([input('good')])
    const good = JSON.stringify({ id: 'x', at: NOON + 1, ...input('also good') })
    const bytes = new TextEncoder().encode(`{"half": \n${good}\n{"id":1}\n`)
    await updateDocument(storage, 'journal/2026-03-01/120000008-x.jsonl', () => bytes)
    expect(reasons(value(await journal.list()))).toEqual(['good', 'also good'])
    expect(problems.map(({ code, details }) => [code, details['line']])).toEqual([
      ['unreadable', 1],
      ['unreadable', 3],
    ])
  })

  it('never overwrites a document, even if an id comes twice in one millisecond', async () => {
    const { journal } = setUp({ ids: ['same'] })
    await journal.append([input('one')])
    await journal.append([input('two')])
    expect(reasons(value(await journal.list()))).toEqual(['one', 'two'])
  })

  it('keeps every record of appends made at once', async () => {
    const { journal } = setUp()
    await Promise.all(Array.from({ length: 30 }, (_, index) => journal.append([input(`r${index}`)])))
    expect(new Set(reasons(value(await journal.list())))).toEqual(new Set(Array.from({ length: 30 }, (_, index) => `r${index}`)))
  })

  it('never stores a credential', async () => {
    const { storage, journal } = setUp()
    const secret = 'api_key = "sk-abcdefghijklmnopqrstuvwxyz0123456789"'
    await journal.append([
      input('no', { verdict: 'rejected', op: { action: 'add', content: secret }, evidence: [{ messageId: 'm1', quote: secret }] }),
    ])
    const [info] = value(await storage.list('journal/2026-03-01'))
    const document = value(await readDocument(storage, info?.path ?? ''))
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

  it('hands a failure of the storage on', async () => {
    const { storage, journal } = setUp()
    await storage.close()
    expect(await journal.append([input('x')])).toMatchObject({ ok: false, error: { code: 'closed' } })
    expect(await journal.list()).toMatchObject({ ok: false, error: { code: 'closed' } })
  })
})
