/** Facts that hold for a time: days that the reviewer, the agent's tool or the host names, which entries the next sessions show, and where those that are over go. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { textOf } from '../session/token-counts.ts'
import { unwrap } from '../support/skill-library.ts'
import { proposalFor, statements } from './statements.ts'

const at = (iso: string): number => Date.parse(iso)
const DAY_MS = 86_400_000
/** A Saturday, noon in Lisbon. */
const NOW = at('2026-11-28T12:00:00Z')

/** So that no two homes have a session of the same name. */
let homes = 0

const open = (options: Partial<HermesOptions> = {}) => {
  const events: HermesEvent[] = []
  let now = NOW
  let sessions = homes++
  const hermes = createHermes({
    storage: inMemoryBackend(),
    clock: () => now,
    timeZone: 'Europe/Lisbon',
    nudge: { memoryInterval: 1, skillInterval: 0 },
    onEvent: (event) => events.push(event),
    ...options,
  })
  /** What a session that begins now is shown. Its work behind the start is done. */
  const block = async (id = `s${homes}-${sessions++}`): Promise<string> => {
    const text = await hermes.session(id).systemBlock()
    await hermes.settled()
    return text
  }
  const moveTo = (time: number | string) => {
    now = typeof time === 'number' ? time : at(time)
  }
  const say = async (text: string, model: HostModel) => {
    hermes.session(`said-${sessions++}`).recordTurn({
      messages: [
        { role: 'user', text },
        { role: 'assistant', text: 'Noted.' },
      ],
      model,
    })
    await hermes.settled()
  }
  return { hermes, events, block, moveTo, say }
}

const folders: string[] = []
const onDisk = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-times-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const proposing =
  (op: object, more: object = {}): HostModel =>
  async () =>
    JSON.stringify({ proposals: [{ target: 'user', op, rationale: 'said', score: 0.9, evidence: [], ...more }] })

const LISBON = "Until Friday I'm in Lisbon"

describe('an entry with a last day', () => {
  it('is shown up to that day, and then lies in the archive with the reason, wherever its session runs', async () => {
    const { hermes, block, moveTo, events } = open()
    unwrap(await hermes.memory.add('user', LISBON, { until: '2026-12-04' }))
    unwrap(await hermes.memory.add('user', 'Likes tea'))
    moveTo('2026-12-04T23:59:00Z')
    expect(await block('open')).toContain(LISBON)
    moveTo('2026-12-05T00:00:00Z')
    expect(await block('open')).toContain(LISBON)
    const later = await block()
    expect(later).not.toContain(LISBON)
    expect(later).toContain('Likes tea')
    expect(unwrap(await hermes.memory.list('user')).map(({ content }) => content)).toEqual(['Likes tea'])
    const { entries, archived, records } = unwrap(await hermes.memory.why('user', 'Lisbon'))
    expect(entries).toEqual([])
    expect(archived).toMatchObject([{ text: LISBON, until: '2026-12-04', reason: 'It held until 2026-12-04.' }])
    expect(records.at(-1)).toMatchObject({
      actor: 'curator',
      op: { action: 'remove' },
      reason: 'It held until 2026-12-04.',
      facts: { previous: { until: '2026-12-04' } },
    })
    expect(events.filter(({ type }) => type === 'memory-changed').at(-1)).toMatchObject({ actor: 'curator' })
  })

  it('is not shown even where it cannot be archived yet, and no stored text shows it', async () => {
    const folder = onDisk()
    const first = open({ storage: fileSystemBackend(folder) })
    unwrap(await first.hermes.memory.add('user', LISBON, { until: '2026-12-04' }))
    expect(await first.block()).toContain(LISBON)
    expect(await first.block()).toContain(LISBON)
    expect(JSON.parse(readFileSync(join(folder, 'memories/.block.json'), 'utf8'))).toMatchObject({
      oldAt: at('2026-12-05T00:00:00Z'),
      timeZone: 'Europe/Lisbon',
    })
    await first.hermes.close()
    const storage = fileSystemBackend(folder)
    const refusing = {
      ...storage,
      read: storage.read,
      list: storage.list,
      close: storage.close,
      update: async () => ({ ok: false as const, error: Object.assign(new Error('full'), {}) as never }),
    }
    const second = open({ storage: refusing })
    second.moveTo('2026-12-05T08:00:00Z')
    expect(await second.block()).not.toContain(LISBON)
    expect(second.events.some(({ type }) => type === 'storage-failed')).toBe(true)
    await storage.close()
    const third = open({ storage: fileSystemBackend(folder) })
    third.moveTo('2026-12-05T09:00:00Z')
    expect(await third.block()).not.toContain(LISBON)
    expect(unwrap(await third.hermes.memory.list('user'))).toEqual([])
    await third.hermes.close()
  })

  it('lies in the text files as its words alone', async () => {
    const folder = onDisk()
    const { hermes } = open({ storage: fileSystemBackend(folder) })
    unwrap(await hermes.memory.add('user', LISBON, { until: '2026-12-04' }))
    expect(readFileSync(join(folder, 'memories/USER.md'), 'utf8')).toBe(LISBON)
    expect(readFileSync(join(folder, 'memories/.facts.jsonl'), 'utf8')).toContain('"until":"2026-12-04"')
    await hermes.close()
  })

  it('keeps its days if the same is said again, and gets others if they are named', async () => {
    const { hermes } = open()
    unwrap(await hermes.memory.add('user', LISBON, { until: '2026-12-04' }))
    unwrap(await hermes.memory.add('user', LISBON))
    expect(unwrap(await hermes.memory.list('user'))).toMatchObject([{ until: '2026-12-04' }])
    const { message } = unwrap(await hermes.memory.add('user', LISBON, { until: '2026-12-11' }))
    expect(message).toBe('USER.md holds this already. It is shown until 2026-12-11.')
    expect(unwrap(await hermes.memory.list('user'))).toMatchObject([{ until: '2026-12-11' }])
    unwrap(await hermes.memory.replace('user', LISBON, "I'm in Lisbon for good"))
    expect(unwrap(await hermes.memory.list('user'))[0]).not.toHaveProperty('until')
  })

  it('comes back by an undo as it was, and from the archive for good once it is over', async () => {
    const { hermes, block, moveTo } = open()
    unwrap(await hermes.memory.add('user', LISBON, { until: '2026-12-04' }))
    moveTo(NOW + 1000)
    unwrap(await hermes.memory.add('user', LISBON, { until: '2026-12-11' }))
    moveTo(NOW + 2000)
    unwrap(await hermes.undo())
    expect(unwrap(await hermes.memory.list('user'))).toMatchObject([{ until: '2026-12-04' }])
    moveTo(NOW + 3000)
    unwrap(await hermes.memory.remove('user', LISBON))
    moveTo(NOW + 4000)
    unwrap(await hermes.undo())
    expect(unwrap(await hermes.memory.list('user'))).toMatchObject([{ until: '2026-12-04' }])
    moveTo('2026-12-06T00:00:00Z')
    await block()
    const [gone] = unwrap(await hermes.memoryStore().archived('user'))
    unwrap(await hermes.memoryStore().restore(String(gone?.id)))
    expect(await block()).toContain(LISBON)
  })

  it('renewed while it is archived stays', async () => {
    const { hermes, moveTo } = open()
    unwrap(await hermes.memory.add('user', LISBON, { until: '2026-12-04' }))
    moveTo('2026-12-05T12:00:00Z')
    const session = hermes.session('late')
    await session.systemBlock()
    unwrap(await hermes.memory.add('user', LISBON, { until: '2026-12-11' }))
    await hermes.settled()
    expect(unwrap(await hermes.memory.list('user')).length + unwrap(await hermes.memoryStore().archived('user')).length).toBe(1)
    expect(await hermes.session('next').systemBlock()).toContain(LISBON)
  })
})

describe('an entry with a first day', () => {
  it('is not shown before that day, also where a text was stored the day before', async () => {
    const folder = onDisk()
    const { hermes, block, moveTo } = open({ storage: fileSystemBackend(folder) })
    unwrap(await hermes.memory.add('user', 'From January on I report to Ada', { from: '2027-01-01' }))
    unwrap(await hermes.memory.add('user', 'Likes tea'))
    moveTo('2026-12-31T23:00:00Z')
    for (let start = 0; start < 3; start++) expect(await block()).not.toContain('Ada')
    expect(unwrap(await hermes.memory.list('user')).map(({ from }) => from)).toEqual(['2027-01-01', undefined])
    moveTo('2027-01-01T00:00:00Z')
    expect(await block()).toContain('Ada')
    await hermes.close()
  })
})

describe('the zone of the user', () => {
  it.each([
    ['Pacific/Kiritimati', '2026-12-04T09:59:00Z', '2026-12-04T10:00:00Z'],
    ['Pacific/Pago_Pago', '2026-12-05T10:59:00Z', '2026-12-05T11:00:00Z'],
    ['Asia/Kathmandu', '2026-12-04T18:14:00Z', '2026-12-04T18:15:00Z'],
  ])('says when a day ends: %s', async (timeZone, last, first) => {
    const { hermes, block, moveTo } = open({ timeZone })
    unwrap(await hermes.memory.add('user', LISBON, { until: '2026-12-04' }))
    moveTo(last)
    expect(await block()).toContain(LISBON)
    moveTo(first)
    expect(await block()).not.toContain(LISBON)
  })

  it.each([
    // Clocks are put forward at midnight, so that the day begins at one o'clock; and a day that has 25 hours.
    ['Asia/Beirut', '2027-03-27', '2027-03-27T21:59:00Z', '2027-03-27T22:00:00Z'],
    ['Europe/Lisbon', '2026-10-25', '2026-10-25T23:59:00Z', '2026-10-26T00:00:00Z'],
  ])('is right on days on which clocks are changed: %s', async (timeZone, until, last, first) => {
    const folder = onDisk()
    const { hermes, block, moveTo } = open({ timeZone, storage: fileSystemBackend(folder) })
    moveTo(at(`${until}T03:00:00Z`) - 3 * DAY_MS)
    unwrap(await hermes.memory.add('user', LISBON, { until }))
    moveTo(last)
    for (let start = 0; start < 2; start++) expect(await block()).toContain(LISBON)
    expect(JSON.parse(readFileSync(join(folder, 'memories/.block.json'), 'utf8')).oldAt).toBe(at(first))
    moveTo(first)
    expect(await block()).not.toContain(LISBON)
    await hermes.close()
  })

  it('is the one that the host names for each owner, and the system’s with an event if that is none', async () => {
    const events: HermesEvent[] = []
    const timeZone = (owner: { readonly user: string } | undefined) => (owner?.user === 'ada' ? 'Pacific/Kiritimati' : 'Mars/Olympus')
    const homes = createHermesHomes({
      storage: inMemoryBackend(),
      clock: () => at('2026-12-04T10:00:00Z'),
      timeZone,
      onEvent: (event) => events.push(event),
    })
    const past = await homes.for('ada').memory.add('user', LISBON, { until: '2026-12-04' })
    expect(past).toMatchObject({ ok: false, error: { code: 'invalid' } })
    expect(events).toEqual([])
    unwrap(await homes.for('bob').memory.add('user', LISBON, { until: '2026-12-06' }))
    expect(events.filter(({ type }) => type === 'host-failed')).toMatchObject([{ operation: 'timeZone', owner: { user: 'bob' } }])
    await homes.close()
  })

  it.each(['Mars/Olympus', '', 3, 'Friday'])('that does not exist is refused: %j', (timeZone) => {
    expect(() => createHermes({ storage: inMemoryBackend(), timeZone: timeZone as string })).toThrow(/timeZone.*Europe\/Lisbon/)
  })
})

describe('days that cannot be', () => {
  it.each([
    [{ until: '2026-02-31' }, /'until' '2026-02-31' is no day of the calendar/],
    [{ until: '2026-11-27' }, /'until' is 2026-11-27, and today is 2026-11-28/],
    [{ from: '2026-12-10', until: '2026-12-04' }, /from 2026-12-10 until 2026-12-04/],
    [{ until: 'Friday' }, /'until' is no day.*2026-12-04/],
    [{ until: '2026-12-04T17:00' }, /without a time of day/],
    [{ from: 20_261_204 }, /'from' is no day/],
    [{ from: '+12026-12-04' }, /'from' is no day/],
    [{ until: '2026-13-01' }, /no day of the calendar/],
  ])('are refused with what to do: %j', async (time, message) => {
    const { hermes, block } = open()
    const refused = await hermes.memory.add('user', LISBON, time as object)
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid', message: expect.stringMatching(message) } })
    expect(await block()).toBe('')
  })

  it.each([
    ['2026-02-31', 'invalid', /op\.until/],
    ['2026-11-27', 'failed', /today is 2026-11-28/],
  ])('drop the proposal of a reviewer, with the reason: %s', async (until, kind, reason) => {
    const { hermes, say } = open()
    await say(LISBON, proposing({ action: 'add', content: LISBON, until }))
    expect(unwrap(await hermes.memory.list('user'))).toEqual([])
    const [record] = unwrap(await hermes.journal.list()).filter((each) => each.kind === kind)
    expect(`${record?.reason} ${record?.error?.message}`).toMatch(reason)
  })

  it('that no day can say stay words, and an hour is left to the words', async () => {
    const { hermes, say } = open()
    const rota = 'Every other Friday I am off'
    await say(rota, proposing({ action: 'add', content: rota, from: 'every other Friday', until: null }))
    const dentist = 'Until 5 pm on Monday I cannot talk'
    await say(dentist, proposing({ action: 'add', content: dentist, until: '2026-11-30T17:00:00' }))
    const [first, second] = unwrap(await hermes.memory.list('user'))
    expect(first).toEqual(expect.objectContaining({ content: rota }))
    expect(first).not.toHaveProperty('from')
    expect(second).toMatchObject({ content: dentist, until: '2026-11-30' })
  })
})

describe('authority', () => {
  it('is not gained by days: text from outside sets none of what the user said', async () => {
    const { hermes } = open()
    unwrap(await hermes.memory.add('memory', 'Staging runs on Fedora', { by: 'user' }))
    const session = hermes.session('web')
    const messages = [
      { role: 'user', text: 'Look at the page' },
      { role: 'tool', text: 'Staging runs on Fedora', toolNames: ['web'] },
    ] as const
    const op = { action: 'add', content: 'Staging runs on Fedora', until: '2026-11-28' } as const
    unwrap(await session.submit({ target: 'memory', op, rationale: '', score: 0.9, evidence: [] }, messages))
    expect(unwrap(await hermes.memory.list('memory'))).toMatchObject([{ by: 'user', content: 'Staging runs on Fedora' }])
    expect(unwrap(await hermes.memory.list('memory'))[0]).not.toHaveProperty('until')
  })

  it('raised by the user’s own words takes only their days', async () => {
    const { hermes, say } = open()
    const store = hermes.memoryStore()
    unwrap(await store.apply('user', { action: 'add', content: LISBON, until: '2026-11-28' }, { origin: 'tool' }))
    await say(LISBON, proposing({ action: 'add', content: LISBON }, { evidence: [{ quote: LISBON }] }))
    const [entry] = unwrap(await hermes.memory.list('user'))
    expect(entry).toMatchObject({ by: 'user', content: LISBON })
    expect(entry).not.toHaveProperty('until')
  })
})

describe('the agent’s tool', () => {
  it('names the days of an entry, and is told what is wrong with them', async () => {
    const { hermes } = open()
    const session = hermes.session('tool')
    await session.systemBlock()
    const [memory] = session.offerTools()
    const call = (input: object) => memory?.execute(input, { messages: [{ role: 'user', text: LISBON }] })
    expect(await call({ target: 'user', action: 'add', content: LISBON, until: '2026-02-31' })).toMatchObject({
      success: false,
      code: 'invalid',
      done: false,
    })
    expect(await call({ target: 'user', action: 'add', content: LISBON, until: '2026-12-04' })).toMatchObject({
      success: true,
      message: expect.stringContaining('It is shown until 2026-12-04.'),
    })
    expect(unwrap(await hermes.memory.list('user'))).toMatchObject([{ until: '2026-12-04' }])
  })
})

describe('sixty statements with a time, in four languages', () => {
  /** Said around midnight of a zone far from UTC, on the day of a change of clocks, and reviewed two days later. */
  const ROUNDS = [
    { timeZone: 'Europe/Lisbon', said: '2026-11-28T12:00:00Z', day: '2026-11-28', laterDays: 0 },
    { timeZone: 'Pacific/Auckland', said: '2026-09-26T12:30:00Z', day: '2026-09-27', laterDays: 0 },
    { timeZone: 'America/Los_Angeles', said: '2026-12-31T02:30:00Z', day: '2026-12-30', laterDays: 2 },
  ] as const

  it('get the right days in at least 57, and none that is over is in a later block', async () => {
    let right = 0
    let all = 0
    const wrongBlocks: string[] = []
    for (const [round, { timeZone, said, day, laterDays }] of ROUNDS.entries()) {
      for (const { text, meaning } of statements(round)) {
        all++
        const { hermes, block, moveTo } = open({ timeZone, nudge: { memoryInterval: 10, skillInterval: 0, minTurns: 1 } })
        moveTo(said)
        const model: HostModel = async (request) => JSON.stringify({ proposals: [proposalFor(text, textOf(request))] })
        hermes.session('said').recordTurn({
          messages: [
            { role: 'user', text },
            { role: 'assistant', text: 'Noted.' },
          ],
          model,
        })
        await hermes.settled()
        moveTo(at(said) + laterDays * DAY_MS)
        await hermes.review({ model })
        await hermes.settled()
        const time = meaning(day)
        const [entry] = unwrap(await hermes.memory.list('user'))
        const isOver = time.until !== undefined && time.until < new Date(Date.parse(day) + laterDays * DAY_MS).toISOString().slice(0, 10)
        if (isOver ? entry === undefined : entry?.content === text && entry.from === time.from && entry.until === time.until) right++
        for (const days of [0, 1, 2, 6, 8, 33, 130, 380]) {
          moveTo(at(said) + (laterDays + days) * DAY_MS)
          const today = new Date(Date.parse(day) + (laterDays + days) * DAY_MS).toISOString().slice(0, 10)
          const holds = !isOver && (time.from ?? today) <= today && today <= (time.until ?? today)
          if ((await block()).includes(text) !== holds) wrongBlocks.push(`${text}: ${today}`)
        }
      }
    }
    expect(all).toBe(60)
    expect(right).toBeGreaterThanOrEqual(57)
    expect(wrongBlocks).toEqual([])
  })
})
