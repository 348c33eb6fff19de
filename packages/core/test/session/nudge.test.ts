import { describe, expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { assistant, openHome, proposing, talk, user } from './open-home.ts'
import { recordingModel } from './recording-model.ts'

describe('the nudge', () => {
  it('reviews after 10 and 20 turns through the model of the turn, after it', async () => {
    const storage = inMemoryBackend()
    const { hermes, events } = openHome(storage)
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    const due: number[] = []
    for (let turn = 1; turn <= 25; turn++) {
      talk(session, history, turn === 3 ? 'I live in Lisbon by the way' : `question ${turn}`, proposing('User lives in Lisbon'))
      await hermes.settled()
      if (events.some(({ type }) => type === 'review-started')) due.push(turn)
      events.length = 0
    }
    expect(due).toEqual([10, 20])
    expect(await hermes.session('two').systemBlock()).toContain('User lives in Lisbon')
  })

  it('counts on across processes, one for each turn', async () => {
    const storage = inMemoryBackend()
    const history: TurnMessage[] = []
    const due: number[] = []
    for (let turn = 1; turn <= 20; turn++) {
      const { hermes, typesOf } = openHome(storage)
      talk(hermes.session('one'), history, `question ${turn}`, proposing())
      await hermes.settled()
      if (typesOf().includes('review-finished')) due.push(turn)
    }
    expect(due).toEqual([10, 20])
  })

  it('does not count steps, retries, tool results and regenerations', async () => {
    const storage = inMemoryBackend()
    const { hermes, typesOf } = openHome(storage, { nudge: { memoryInterval: 2 } })
    const session = hermes.session('one')
    const prompt = [user('what is 6 times 7?')]
    session.beginStep(prompt)
    session.beginStep(prompt)
    session.endStep({ prompt, turnFinished: false, calledTools: true, reply: [{ role: 'assistant', text: '', toolNames: ['sum'] }] })
    const step = [...prompt, { role: 'assistant', text: '', toolNames: ['sum'] }, { role: 'tool', text: '42', toolNames: ['sum'] }] as const
    session.beginStep(step)
    session.endStep({ prompt: step, turnFinished: true, calledTools: false, reply: [assistant('42')] })
    session.beginStep(prompt)
    session.endStep({ prompt, turnFinished: true, calledTools: false, reply: [assistant('forty-two')], model: proposing() })
    await hermes.settled()
    expect(typesOf()).not.toContain('review-started')
    const next = [...prompt, assistant('42'), user('thanks')]
    session.beginStep(next)
    session.endStep({ prompt: next, turnFinished: true, calledTools: false, reply: [assistant('welcome')], model: proposing() })
    await hermes.settled()
    expect(typesOf()).toContain('review-finished')
  })

  it('counts what was said before, if a session starts with a history', async () => {
    const { hermes, typesOf } = openHome(inMemoryBackend())
    const history = Array.from({ length: 9 }, (_, turn) => [user(`q${turn}`), assistant(`a${turn}`)]).flat()
    talk(hermes.session('one'), history, 'the tenth', proposing())
    await hermes.settled()
    expect(typesOf()).toContain('review-finished')
  })

  it('shows the reviewer all turns of a host that records one turn at a time, in whichever process', async () => {
    const storage = inMemoryBackend()
    let seen = ''
    const model: HostModel = async ({ messages }) => {
      seen = messages.map(({ content }) => content).join('\n')
      return '{"proposals": []}'
    }
    for (let turn = 1; turn <= 10; turn++) {
      const { hermes } = openHome(storage)
      hermes.session('one').recordTurn({ messages: [user(`question ${turn}`), assistant(`answer ${turn}`)], model })
      await hermes.settled()
    }
    for (let turn = 1; turn <= 10; turn++) expect(seen).toContain(`question ${turn}`)
  })

  it('counts the turns of two processes at once and reviews once', async () => {
    const storage = inMemoryBackend()
    const processes = [openHome(storage), openHome(storage)]
    for (let turn = 1; turn <= 5; turn++) {
      for (const { hermes } of processes) {
        hermes.session('one').recordTurn({ messages: [user(`question ${turn}`), assistant('…')], model: proposing() })
      }
    }
    await Promise.all(processes.map(({ hermes }) => hermes.settled()))
    expect(processes.flatMap(({ typesOf }) => typesOf()).filter((type) => type === 'review-started')).toHaveLength(1)
  })

  it('counts a turn when it finishes: one that was stopped or that failed does not count, whatever stays of it in the history', async () => {
    const { hermes, events } = openHome(inMemoryBackend())
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    for (let turn = 1; turn <= 10; turn++) {
      history.push(user(`stopped ${turn}`))
      session.beginStep([...history])
      history.push(assistant('Well, that'))
      await hermes.settled()
    }
    talk(session, history, 'the first that ends', proposing())
    await hermes.settled()
    expect(events.some(({ type }) => type === 'review-started')).toBe(false)
    for (let turn = 2; turn <= 10; turn++) talk(session, history, `turn ${turn}`, proposing())
    await hermes.settled()
    expect(events.find(({ type }) => type === 'review-started')).toMatchObject({ turns: 10 })
  })

  it('counts each of several turns of one session at once, and reviews all that have ended together', async () => {
    const { hermes, events } = openHome(inMemoryBackend())
    const session = hermes.session('one')
    const model = recordingModel()
    const ends = Array.from({ length: 20 }, (_, at) => {
      const prompt = [user(`request ${at}.`)]
      session.beginStep(prompt)
      return () => session.endStep({ prompt, turnFinished: true, calledTools: false, reply: [assistant('Done.')], model })
    })
    for (const end of ends.toReversed()) end()
    await hermes.settled()
    // A review was due after ten turns, but all twenty ended before it could start, so one review reads all of them.
    expect(events.flatMap((event) => (event.type === 'review-started' ? [event.turns] : []))).toEqual([20])
    for (let at = 0; at < 20; at++) expect(model.read[0]?.split(`request ${at}.`)).toHaveLength(2)
  })

  it('is off at 0', async () => {
    const { hermes, typesOf } = openHome(inMemoryBackend(), { nudge: { memoryInterval: 0 } })
    for (let turn = 1; turn <= 12; turn++) hermes.session('one').recordTurn({ messages: [user(`q${turn}`)], model: proposing() })
    await hermes.settled()
    expect(typesOf()).not.toContain('review-started')
  })
})
