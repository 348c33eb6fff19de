import { describe, expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import type { Session } from '../../src/session/session.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { assistant, openHome, proposing, user } from './open-home.ts'
import { recordingModel } from './recording-model.ts'

const say = (session: Session, model: HostModel, ...texts: readonly string[]) => {
  for (const text of texts) session.recordTurn({ messages: [user(text), assistant('Fine.')], model })
}

describe('the end of a session', () => {
  it('has what was said reviewed from three turns on; fewer count for the next session', async () => {
    const { hermes, typesOf } = openHome(inMemoryBackend())
    const model = recordingModel()
    const first = hermes.session('first')
    say(first, model, 'one', 'two')
    expect(await first.end()).toEqual({ ok: true, value: { kind: 'nothing-due', unreadTurns: 2 } })
    expect(typesOf()).not.toContain('review-started')
    const second = hermes.session('second')
    say(second, model, 'three')
    expect(await second.end()).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 3 } })
    expect(model.read.at(-1)).toMatch(/one[\s\S]*two[\s\S]*three/)
    expect(await second.end()).toEqual({ ok: true, value: { kind: 'nothing-due', unreadTurns: 0 } })
  })

  it('counts as in progress from the call on, for callers that wait for the session or for background work', async () => {
    const tasks: Promise<unknown>[] = []
    const { hermes, typesOf } = openHome(inMemoryBackend(), { background: (task) => tasks.push(task) })
    const session = hermes.session('one')
    say(session, proposing('Lives in Lisbon'), 'one', 'two', 'three')
    const handed = tasks.length
    void session.end()
    await Promise.resolve()
    expect(tasks.length).toBeGreaterThan(handed)
    await session.settled()
    expect(typesOf()).toContain('review-finished')
    await Promise.all(tasks)
  })

  it('is cancelled by its signal, and the turns are unread again', async () => {
    const { hermes, typesOf } = openHome(inMemoryBackend())
    const session = hermes.session('one')
    const skip = new AbortController()
    const hanging: HostModel = () => {
      skip.abort()
      return new Promise(() => {})
    }
    say(session, hanging, 'one', 'two', 'three')
    expect(await session.end({ signal: skip.signal })).toEqual({ ok: true, value: { kind: 'stopped' } })
    expect(typesOf()).toContain('review-stopped')
    expect(await session.end({ minTurns: 4 })).toEqual({ ok: true, value: { kind: 'nothing-due', unreadTurns: 3 } })
  })

  it('finds the place of the one review free after a request that had nothing to read, if no text is kept', async () => {
    const { hermes } = openHome(inMemoryBackend(), { sessions: { keepText: false } })
    const session = hermes.session('one')
    say(session, proposing('Lives in Lisbon'), 'one', 'two', 'three')
    await session.settled()
    expect(await hermes.review()).toMatchObject({ ok: true, value: { kind: 'nothing-due' } })
    expect(await session.end()).toMatchObject({ ok: true, value: { kind: 'reviewed' } })
  })
})

describe('a review that is asked for', () => {
  it('is made by the model it is given, before that of the options and of the turns', async () => {
    const asked: string[] = []
    const named =
      (name: string): HostModel =>
      async () => {
        asked.push(name)
        return '{"proposals":[]}'
      }
    const { hermes } = openHome(inMemoryBackend(), { review: { model: named('options') } })
    const session = hermes.session('one')
    say(session, named('turn'), 'one', 'two', 'three')
    await hermes.settled()
    expect(await hermes.review({ model: named('given') })).toMatchObject({ ok: true, value: { kind: 'reviewed' } })
    say(session, named('turn'), 'four', 'five', 'six')
    await hermes.settled()
    expect(await hermes.review()).toMatchObject({ ok: true, value: { kind: 'reviewed' } })
    expect(asked).toEqual(['given', 'options'])
  })
})

describe('hermes.review', () => {
  it('waits for what was just said to be saved', async () => {
    const { hermes } = openHome(inMemoryBackend(), { review: { model: recordingModel() } })
    for (const text of ['one', 'two', 'three']) hermes.session('a').recordTurn({ messages: [user(text)] })
    expect(await hermes.review()).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 3 } })
  })

  it('says what is wrong with a number of turns, and is quiet after the close', async () => {
    const { hermes, typesOf } = openHome(inMemoryBackend(), { review: { model: recordingModel() } })
    expect(await hermes.review({ minTurns: 'x' as never })).toMatchObject({ ok: false, error: { code: 'invalid' } })
    expect(await hermes.session('a').end({ minTurns: 0 })).toMatchObject({ ok: false, error: { code: 'invalid' } })
    await hermes.close()
    expect(await hermes.review()).toEqual({ ok: true, value: { kind: 'stopped' } })
    expect(typesOf()).not.toContain('storage-failed')
  })
})
