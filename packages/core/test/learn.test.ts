/** `hermes.learn`: batches that no session has recorded, each one review of its own. */
import { inMemoryReviewQueue } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import type { HermesEvent, HostModel } from '../src/index.ts'
import { createHermes, inMemoryBackend } from '../src/index.ts'
import type { ReviewQueue } from '../src/queue/review-queue.ts'
import type { LearnBatch, LearnTurn } from '../src/session/learn-batch.ts'

const DIGEST = 'ab'.repeat(16)
const OTHER = 'cd'.repeat(16)

const turn = (text: string): LearnTurn => ({ sessionId: 'learn:old', messages: [{ role: 'user', text }] })

const batchOf = (texts: readonly string[], more: Partial<LearnBatch> = {}): LearnBatch => ({
  learnId: 'learn-1',
  turns: texts.map(turn),
  read: new Map([[DIGEST, texts.length]]),
  ...more,
})

/** Proposes each town of the requests that it has not written yet. */
const open = (answer?: HostModel, storage = inMemoryBackend(), queue?: ReviewQueue) => {
  const asked: string[] = []
  const model: HostModel = async (request) => {
    const shown = request.messages.map(({ content }) => content).join('\n')
    asked.push(shown)
    if (answer) return answer(request)
    const towns = [...shown.matchAll(/origin: \w+\] (I lived in (\w+))/g)]
    const proposals = towns.map(([, quote, town]) => ({
      target: 'user',
      op: { action: 'add', content: `Lived in ${town}` },
      rationale: 'said',
      score: 0.9,
      evidence: [{ quote }],
    }))
    return JSON.stringify({ proposals })
  }
  let now = 1_000_000
  const events: HermesEvent[] = []
  const onEvent = (event: HermesEvent) => events.push(event)
  const hermes = createHermes({ storage, review: { model, ...(queue ? { queue } : {}) }, clock: () => ++now, onEvent })
  const entries = async () => {
    const listed = await hermes.memory.list('user')
    return listed.ok ? listed.value.map(({ content }) => content) : listed.error
  }
  const sources = async () => {
    const found = await hermes.learn.sources()
    if (!found.ok) throw found.error
    return { read: Object.fromEntries([...found.value.sources].map(([id, { turns }]) => [id, turns])), unfinished: found.value.unfinished }
  }
  return { hermes, asked, events, entries, sources }
}

describe('a batch', () => {
  it('is read by one review, as the words of its speakers, and its sources are read with it', async () => {
    const { hermes, asked, entries, sources } = open()
    expect(await hermes.learn.batch(batchOf(['I lived in Oslo', 'I lived in Bergen']))).toMatchObject({
      ok: true,
      value: { kind: 'reviewed', turns: 2 },
    })
    expect([await entries(), asked.length]).toEqual([['Lived in Oslo', 'Lived in Bergen'], 1])
    expect(await sources()).toEqual({ read: { [DIGEST]: 2 }, unfinished: 'learn-1' })
    await hermes.learn.batch(batchOf(['I lived in Rome'], { read: new Map([[DIGEST, 3]]), isLast: true }))
    expect(await sources()).toEqual({ read: { [DIGEST]: 3 }, unfinished: undefined })
  })

  it('reads nothing that a session has recorded, which stays unread', async () => {
    const { hermes, asked, entries } = open()
    hermes.session('chat').recordTurn({ messages: [{ role: 'user', text: 'I lived in Paris' }] })
    await hermes.settled()
    await hermes.learn.batch(batchOf(['I lived in Oslo']))
    expect([asked.length, await entries()]).toEqual([1, ['Lived in Oslo']])
    expect(asked[0]).not.toContain('Paris')
    expect(await hermes.review({ minTurns: 1 })).toMatchObject({ ok: true, value: { turns: 1 } })
    expect(await entries()).toEqual(['Lived in Oslo', 'Lived in Paris'])
  })

  it('that fails is not read: nothing of it is written or marked', async () => {
    const { hermes, entries, sources } = open(async () => 'no answer')
    expect(await hermes.learn.batch(batchOf(['I lived in Oslo']))).toMatchObject({ ok: false })
    expect([await entries(), await sources()]).toEqual([[], { read: {}, unfinished: undefined }])
    const stop = new AbortController()
    stop.abort()
    expect(await hermes.learn.batch(batchOf(['I lived in Oslo']), { signal: stop.signal })).toEqual({
      ok: true,
      value: { kind: 'stopped' },
    })
  })

  it('whose sources cannot be marked is refused before a model is asked', async () => {
    const storage = inMemoryBackend()
    const { hermes, asked } = open(undefined, storage)
    const put = { [`learned/${DIGEST.slice(0, 2)}.json`]: new TextEncoder().encode('{"version":1,"sour') }
    await storage.update(Object.keys(put), () => ({ put, value: undefined }))
    const unreadable = { ok: false, error: { code: 'unreadable', message: expect.stringContaining('learned/ab.json') } }
    expect(await hermes.learn.sources()).toMatchObject(unreadable)
    expect(await hermes.learn.batch(batchOf(['I lived in Oslo']))).toMatchObject(unreadable)
    expect(asked).toEqual([])
  })

  it('waits for no other review and stops none', async () => {
    let answer = (_: string) => {}
    const { hermes, asked } = open(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    const first = hermes.learn.batch(batchOf(['I lived in Oslo']))
    await expect.poll(() => asked.length).toBe(1)
    expect(await hermes.learn.batch(batchOf(['I lived in Bergen']))).toEqual({ ok: true, value: { kind: 'busy' } })
    answer('{"proposals":[]}')
    expect(await first).toMatchObject({ ok: true, value: { kind: 'reviewed' } })
  })

  it('whose sources another act has read since it was planned is refused before a model is asked', async () => {
    const storage = inMemoryBackend()
    const [first, second] = [open(undefined, storage), open(undefined, storage)]
    const planned = async () => {
      const found = await second.hermes.learn.sources()
      return found.ok ? { marks: found.value.marks } : {}
    }
    const early = { learnId: 'learn-2', ...(await planned()) }
    expect(await first.hermes.learn.batch(batchOf(['I lived in Oslo']))).toMatchObject({ ok: true })
    const refused = { ok: false, error: { code: 'superseded', message: expect.stringContaining('no model was asked') } }
    expect(await second.hermes.learn.batch(batchOf(['I lived in Oslo'], early))).toMatchObject(refused)
    // Of the same act, which another process goes on with.
    expect(await second.hermes.learn.batch(batchOf(['I lived in Oslo'], { ...early, learnId: 'learn-1' }))).toMatchObject(refused)
    expect(second.asked).toEqual([])
    const other = { ...early, read: new Map([[OTHER, 1]]) }
    expect(await second.hermes.learn.batch(batchOf(['I lived in Rome'], other))).toMatchObject({ ok: true })
    await first.hermes.undo('learn-1')
    expect(await second.hermes.learn.batch(batchOf(['I lived in Oslo'], { learnId: 'learn-3', ...(await planned()) }))).toMatchObject({
      ok: true,
      value: { kind: 'reviewed' },
    })
  })

  it('is read at once where due reviews go through a queue, which is not touched', async () => {
    const queue = inMemoryReviewQueue({ clock: () => 1_000_000 })
    const { hermes, entries, asked } = open(undefined, inMemoryBackend(), queue)
    expect(await hermes.learn.batch(batchOf(['I lived in Oslo'], { isLast: true }))).toMatchObject({
      ok: true,
      value: { kind: 'reviewed' },
    })
    expect([await entries(), asked.length]).toEqual([['Lived in Oslo'], 1])
    expect(await queue.claim({ limit: 10, leaseMs: 60_000 })).toEqual({ ok: true, value: [] })
  })

  it('says what it had no room for', async () => {
    const { hermes, events } = open()
    const texts = Array.from({ length: 10 }, (_, at) => `I lived in Oslo ${at}. ${'We sailed on. '.repeat(600)}`)
    expect(await hermes.learn.batch(batchOf(texts))).toMatchObject({ ok: true })
    expect(events).toContainEqual(expect.objectContaining({ type: 'turns-dropped', turns: 3 }))
  })

  it('stores no credential and shows the model none', async () => {
    const { hermes, asked } = open()
    await hermes.learn.batch(batchOf(['My key is sk-proj-Abc123Abc123Abc123Abc123Abc123Abc123Abc123Abc1, and I lived in Oslo']))
    expect(asked[0]).toContain('redacted')
    expect(asked[0]).not.toContain('Abc123')
  })

  it.each([
    ['an empty id', { learnId: '' }, 'learnId'],
    ['no turns', { turns: [] }, 'turns'],
    ['too many turns', { turns: Array.from({ length: 101 }, () => turn('x')) }, 'turns'],
    ['a turn that is none', { turns: [null as never] }, 'messages'],
    ['a turn without messages', { turns: [{ sessionId: 'x' } as never] }, 'messages'],
    ['a message without text', { turns: [{ sessionId: 'x', messages: [{ role: 'user' } as never] }] }, 'text'],
    ['a number for a session', { turns: [{ ...turn('I lived in Oslo'), sessionId: 3 as never }] }, 'sessionId'],
    ['a path for a project', { turns: [{ ...turn('I lived in Oslo'), project: '\0' }] }, 'project'],
    ['a text for a time', { turns: [{ ...turn('I lived in Oslo'), at: 'Friday' as never }] }, "'at'"],
    ['a time that no date has', { turns: [{ ...turn('I lived in Oslo'), at: 1e20 }] }, "'at'"],
    ['a path for a digest', { read: new Map([['../x', 1]]) }, 'read'],
    ['marks that are no Map', { marks: {} as never }, 'marks'],
    ['a count below 0', { read: new Map([[DIGEST, -1]]) }, 'read'],
  ])('with %s is refused', async (_, part, named) => {
    const { hermes, asked } = open()
    const refused = await hermes.learn.batch(batchOf(['x'], part))
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid', message: expect.stringContaining(named) } })
    expect(asked).toEqual([])
  })
})

describe('an act of several batches', () => {
  it('is taken back as one, by its id also after other writes, and its sources then count as unread', async () => {
    const { hermes, entries, sources } = open()
    await hermes.learn.batch(batchOf(['I lived in Oslo']))
    await hermes.learn.batch(batchOf(['I lived in Bergen'], { read: new Map([[OTHER, 1]]), isLast: true }))
    await hermes.memory.add('user', 'Likes rain')
    expect(await hermes.undo('learn-1')).toMatchObject({ ok: true, value: { records: [{}, {}] } })
    expect([await entries(), (await sources()).read]).toEqual([['Likes rain'], {}])
    expect(await hermes.undo('learn-1')).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(await hermes.undo()).toMatchObject({ ok: true })
    expect((await sources()).read).toEqual({ [DIGEST]: 1, [OTHER]: 1 })
  })
})

it('estimates what a batch asks of the model', async () => {
  const { hermes, asked } = open()
  const outside: LearnTurn = { sessionId: 'page', messages: [{ role: 'user', text: 'A page', outside: true }], tainted: true }
  const estimated = await hermes.learn.estimate([turn('I lived in Oslo'), outside])
  expect([estimated, asked]).toMatchObject([{ ok: true, value: { requests: 2 } }, []])
  const more = await hermes.learn.estimate([turn('I lived in Oslo'), outside], 500)
  expect(more.ok && estimated.ok && more.value.inputTokens > estimated.value.inputTokens).toBe(true)
})
