import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { backgroundTasks } from './background-tasks.ts'
import type { ReviewRunner } from './review-runner.ts'
import { hostTokens, sessionSaver } from './session-saver.ts'
import type { SavedSession, SessionStore } from './session-store.ts'

const counts = {
  id: 'one',
  createdAt: 1,
  turns: 1,
  iterations: 0,
  updatedAt: 1,
  asked: { turns: 0, iterations: 0 },
  read: { words: 0, everything: 0, skills: 0 },
  kept: 1,
}
const saved: SavedSession = { counts, shown: [], tainted: false, dropped: 0 }

const setUp = (save: SessionStore['save'], turnsSaved: ReviewRunner['turnsSaved']) => {
  const crashes: unknown[] = []
  const failures: string[] = []
  const dropped: number[] = []
  const store: SessionStore = {
    block: '',
    isTainted: async () => false,
    prove: async (messages) => messages,
    noteInterrupted: () => {},
    noteResult: () => {},
    unsaved: false,
    lastSaved: { counts: undefined, shown: undefined },
    startsTurn: () => false,
    recalled: [],
    reloadRecalled: async () => {},
    noteRecalled: () => {},
    beginTurn: () => false,
    endStep: () => {},
    recordTurn: () => {},
    noteLoadedSkill: () => {},
    replaceBlock: () => {},
    forget: async () => {},
    redact: () => {},
    taint: () => {},
    save,
  }
  const tasks = backgroundTasks({ onCrash: (cause) => crashes.push(cause), onBackgroundFailure: () => {} })
  const saver = sessionSaver({
    sessionId: 'one',
    ready: async () => store,
    tasks,
    reviews: { turnsSaved },
    tokens: { take: () => 0 },
    onFailure: (operation, { code }) => failures.push(`${operation}: ${code}`),
    onDropped: (turns) => dropped.push(turns),
  })
  return { save: saver, tasks, crashes, failures, dropped }
}

describe('sessionSaver', () => {
  it('starts to save after everything that delays the answer', async () => {
    let saves = 0
    const setup = setUp(
      async () => {
        saves++
        return ok(saved)
      },
      async () => undefined,
    )
    setup.save()
    for (let waited = 0; waited < 200; waited++) await Promise.resolve()
    expect(saves).toBe(0)
    await setup.tasks.settled()
    // No review fell due with it.
    expect([saves, setup.crashes]).toEqual([1, []])
  })

  it('continues saving while the review runs that fell due with a save, and says if one crashed', async () => {
    let saves = 0
    let crash: (cause: Error) => void = () => {}
    const underWay = new Promise<void>((_, reject) => {
      crash = reject
    })
    const setup = setUp(
      async () => {
        saves++
        return ok(saved)
      },
      async () => () => underWay,
    )
    setup.save()
    await expect.poll(() => saves).toBe(1)
    setup.save()
    await expect.poll(() => saves).toBe(2)
    crash(new Error('boom'))
    await setup.tasks.settled()
    expect(setup.crashes).toEqual([new Error('boom'), new Error('boom')])
  })

  it('asks for no review if no turn has ended', async () => {
    let asked = 0
    const { save, tasks } = setUp(
      async () => ok({ ...saved, shown: undefined }),
      async () => {
        asked++
        return undefined
      },
    )
    save()
    await tasks.settled()
    expect(asked).toBe(0)
  })

  it('saves again after a save that crashed', async () => {
    let saves = 0
    const { save, tasks, crashes } = setUp(
      async () => {
        saves++
        if (saves === 1) throw new Error('no clock')
        return ok(saved)
      },
      async () => undefined,
    )
    save()
    await tasks.settled()
    save()
    await tasks.settled()
    expect(saves).toBe(2)
    expect(crashes).toEqual([new Error('no clock')])
  })

  it('says that a save failed, and asks for no review', async () => {
    let asked = 0
    const { save, tasks, failures, crashes, dropped } = setUp(
      async () => err(new HermesError('no_space', 'The disk is full.')),
      async () => {
        asked++
        return undefined
      },
    )
    save()
    await tasks.settled()
    expect({ failures, crashes, dropped, asked }).toEqual({ failures: ['save session: no_space'], crashes: [], dropped: [], asked: 0 })
  })

  it.each([
    [0, []],
    [2, [2]],
  ])('tells how many turns found no room: %i', async (turns, told) => {
    const { save, tasks, crashes, dropped } = setUp(
      async () => ok({ ...saved, dropped: turns }),
      async () => undefined,
    )
    save()
    await tasks.settled()
    expect({ dropped, crashes }).toEqual({ dropped: told, crashes: [] })
  })

  it('saves once for all that asks while a save is queued', async () => {
    let saves = 0
    const { save, tasks } = setUp(
      async () => {
        saves++
        return ok(saved)
      },
      async () => undefined,
    )
    for (let turn = 0; turn < 5; turn++) save()
    await tasks.settled()
    expect(saves).toBe(1)
  })
})

describe('hostTokens', () => {
  const said = [
    { role: 'user', text: '12345' },
    { role: 'assistant', text: '6789' },
  ] as const

  it('counts what the provider reports, and otherwise a token for four characters', () => {
    const tokens = hostTokens(true)
    tokens.count(said, { inputTokens: 100, outputTokens: 20 })
    tokens.count(said, undefined)
    expect(tokens.take()).toBe(100 + 20 + 3)
    expect(tokens.take()).toBe(0)
    tokens.count(said, { outputTokens: 7 })
    tokens.count(said, { inputTokens: 5 })
    expect(tokens.take()).toBe(12)
  })

  it('counts nothing where no budget asks for it', () => {
    const tokens = hostTokens(false)
    tokens.count(said, { inputTokens: 100, outputTokens: 20 })
    expect(tokens.take()).toBe(0)
  })
})
