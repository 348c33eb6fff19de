import { describe, expect, it } from 'vitest'
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { type DocumentChange, type StoredDocument, UNCHANGED } from '../../storage-backend.ts'
import { toDocument } from './document-file.ts'
import { ChangeThrew } from './run-change.ts'
import { type AskedUpdate, updateTogether } from './update-together.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (document: StoredDocument | undefined) => document && new TextDecoder().decode(document.bytes)
const append =
  (text: string): DocumentChange =>
  (current) =>
    encode(`${decode(current) ?? ''}${text}`)

const LOCKED = err(new HermesError('locked', 'locked'))

let documents = 0

/** A document whose lock is given to one group at a time. `begin` gives it to the next, which runs its change on `content` so many times. */
const setUp = (timeoutMs = 1000) => {
  const state = { content: undefined as string | undefined, writes: [] as (string | undefined)[], durable: [] as boolean[], now: 0 }
  const locks: ((act: 'run' | 'run twice' | 'fail' | 'time out' | 'break') => void)[] = []
  const update = async (asked: AskedUpdate): Promise<Result<StoredDocument | undefined>> => {
    const act = await new Promise<Parameters<(typeof locks)[number]>[0]>((resolve) => locks.push(resolve))
    if (act === 'time out') return LOCKED
    if (act === 'run twice') asked.change(toDocument(encode('stale'), false))
    const current = state.content === undefined ? undefined : toDocument(encode(state.content), false)
    const next = asked.change(current)
    if (act === 'break') throw new Error('EIO')
    if (act === 'fail') return err(new HermesError('no_space', 'full'))
    if (next === UNCHANGED) return ok(current)
    const content = next === undefined || next instanceof Uint8Array ? next : next.bytes
    state.content = content && new TextDecoder().decode(content)
    state.writes.push(state.content)
    state.durable.push(asked.durable ?? true)
    return ok(content && toDocument(content, false))
  }
  const together = { document: `document ${documents++}`, path: 'a', timeoutMs, clock: () => state.now, update }
  const ask = (change: DocumentChange, durable?: boolean) =>
    updateTogether({ change, ...(durable === undefined ? {} : { durable }) }, together).then((updated) =>
      updated.ok ? decode(updated.value) : updated.error.code,
    )
  const begin = async (act: Parameters<(typeof locks)[number]>[0] = 'run') => {
    // Whoever was in the group before asks again first.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    locks.shift()?.(act)
  }
  return { state, ask, begin, locks }
}

describe('updates that wait for the lock of a document', () => {
  it('are written once, each on top of the one before, and those that come later another time', async () => {
    const { state, ask, begin } = setUp()
    const first = ['a', 'b', 'c'].map((text) => ask(append(text)))
    await begin()
    expect(await Promise.all(first)).toEqual(['a', 'ab', 'abc'])
    const later = ask(append('d'))
    await begin()
    expect(await later).toBe('abcd')
    expect(state.writes).toEqual(['abc', 'abcd'])
  })

  it('fail alone if they throw or return something else, and leave no trace', async () => {
    const { state, ask, begin } = setUp()
    const thrown = new Error('by the change')
    const outcomes = Promise.allSettled([
      ask(append('a')),
      ask(() => {
        throw thrown
      }),
      ask(() => 'text' as never),
      ask(append('b')),
    ])
    await begin()
    const [a, threw, wrong, b] = await outcomes
    expect([a, b]).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'fulfilled', value: 'ab' },
    ])
    expect(threw).toMatchObject({ status: 'rejected', reason: { cause: thrown } })
    expect(threw?.status === 'rejected' && threw.reason instanceof ChangeThrew).toBe(true)
    expect(wrong).toMatchObject({ status: 'rejected', reason: { cause: expect.any(TypeError) } })
    expect(state.writes).toEqual(['ab'])
  })

  it('write nothing if none of them changes anything, and may remove and create', async () => {
    const { state, ask, begin } = setUp()
    state.content = 'x'
    const kept = [ask(() => UNCHANGED), ask(() => UNCHANGED)]
    await begin()
    expect(await Promise.all(kept)).toEqual(['x', 'x'])
    expect(state.writes).toEqual([])
    const changed = [ask(() => undefined), ask(() => UNCHANGED), ask(append('new')), ask(() => undefined)]
    await begin()
    expect(await Promise.all(changed)).toEqual([undefined, undefined, 'new', undefined])
    expect(state.writes).toEqual([undefined])
  })

  it.each([
    ['write the removal of a document', 'x', [undefined]],
    ['write no removal of nothing', undefined, []],
  ])('%s', async (_, content, writes) => {
    const { state, ask, begin } = setUp()
    state.content = content
    const both = [ask(() => undefined), ask(() => UNCHANGED)]
    await begin()
    expect(await Promise.all(both)).toEqual([undefined, undefined])
    expect(state.writes).toEqual(writes)
  })

  it.each([true, false])('keep whether the document is a program (%s), and say whether others have joined', async (executable) => {
    const seen: unknown[] = []
    const update = async (asked: AskedUpdate): Promise<Result<StoredDocument | undefined>> => {
      await Promise.resolve()
      const next = asked.change(toDocument(encode('x'), executable))
      seen.push([asked.isJoined, typeof next === 'object' && 'executable' in next && next.executable])
      return ok(undefined)
    }
    const together = { document: `document ${documents++}`, path: 'a', timeoutMs: 1000, clock: () => 0, update }
    await Promise.all([append('a'), append('b')].map((change) => updateTogether({ change }, together)))
    await updateTogether({ change: () => UNCHANGED }, together)
    expect(seen).toEqual([
      [true, executable],
      [false, false],
    ])
  })

  it('all fail with the write, but for those that read what was there before', async () => {
    const { state, ask, begin } = setUp()
    state.content = 'x'
    const full = [ask(() => UNCHANGED), ask(append('a')), ask(() => UNCHANGED)]
    await begin('fail')
    expect(await Promise.all(full)).toEqual(['x', 'no_space', 'no_space'])
    const broken = Promise.allSettled([ask(append('a')), ask(append('b'))])
    await begin('break')
    expect((await broken).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('all run again if the document was replaced before the write', async () => {
    const { state, ask, begin } = setUp()
    state.content = 'x'
    const both = [ask(append('a')), ask(append('b'))]
    await begin('run twice')
    expect(await Promise.all(both)).toEqual(['xa', 'xab'])
    expect(state.writes).toEqual(['xab'])
  })

  it('all run again even if they take longer then', async () => {
    const { state, ask, begin } = setUp()
    state.content = 'x'
    const slowOnX =
      (text: string): DocumentChange =>
      (current) => {
        if (decode(current)?.startsWith('x')) state.now += 20
        return append(text)(current)
      }
    const all = ['a', 'b', 'c'].map((text) => ask(slowOnX(text)))
    await begin('run twice')
    expect(await Promise.all(all)).toEqual(['xa', 'xab', 'xabc'])
    expect(state.writes).toEqual(['xabc'])
  })

  it('share no bytes with each other or their callers', async () => {
    const { state, ask, begin } = setUp()
    state.content = 'x'
    const mine = encode('mine')
    const spoil: DocumentChange = (current) => {
      current?.bytes.fill(0)
      return UNCHANGED
    }
    const all = [ask(spoil), ask(() => mine), ask(spoil), ask(append('+'))]
    await begin()
    mine.fill(0)
    expect(await Promise.all(all)).toEqual(['x', 'mine', 'mine', 'mine+'])
    expect(state.writes).toEqual(['mine+'])
  })

  it('are durable if one of them is to be', async () => {
    const { state, ask, begin } = setUp()
    const mixed = [ask(append('a'), false), ask(append('b'), true)]
    await begin()
    await Promise.all(mixed)
    const loose = [ask(append('c'), false), ask(append('d'), false)]
    await begin()
    await Promise.all(loose)
    expect(state.durable).toEqual([true, false])
  })

  it('wait for as long as each of them may, however long those before them have waited', async () => {
    const { state, ask, begin, locks } = setUp(100)
    const outcomes: string[] = []
    const note = (name: string) => ask(append(name)).then((outcome) => outcomes.push(`${name}: ${outcome}`))
    const first = note('a')
    state.now = 90
    const second = note('b')
    state.now = 100
    await begin('time out')
    await first
    state.now = 150
    await begin()
    await second
    expect(outcomes).toEqual(['a: locked', 'b: b'])

    const third = note('c')
    const fourth = note('d')
    state.now = 250
    await begin('time out')
    await Promise.all([third, fourth])
    expect(outcomes.slice(2)).toEqual(['c: locked', 'd: locked'])
    expect(locks).toEqual([])
  })

  it('are made by whoever asks if the one before ended at once', async () => {
    const update = async ({ change }: AskedUpdate): Promise<Result<StoredDocument | undefined>> => {
      const next = change(undefined)
      return ok(next instanceof Uint8Array ? toDocument(next, false) : undefined)
    }
    const together = { document: `document ${documents++}`, path: 'a', timeoutMs: 1000, clock: () => 0, update }
    const all = await Promise.all(['a', 'b'].map((text) => updateTogether({ change: append(text) }, together)))
    expect(all.map((each) => each.ok && decode(each.value))).toEqual(['a', 'b'])
  })

  it('leave the rest to the next write when their changes take long, which run again together', async () => {
    const { state, ask, begin } = setUp()
    state.now = 1_000
    const slow =
      (text: string): DocumentChange =>
      (current) => {
        state.now += 6
        return append(text)(current)
      }
    const all = ['a', 'b', 'c'].map((text) => ask(slow(text)))
    await begin('run twice')
    await begin()
    expect(await Promise.all(all)).toEqual(['a', 'ab', 'abc'])
    expect(state.writes).toEqual(['ab', 'abc'])
  })
})
