/** The session of a tool call: none rather than a wrong one. */
import { expect, it, onTestFinished } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { addNobodysCall, closeNobodysCall, SessionNesting, sessionOfCall } from './session-nesting.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const TURN = [user('Remember this')]
const CALL = { id: 'call_0', name: 'memory' }
const RESULT = [
  ...TURN,
  { role: 'assistant', text: '', toolNames: ['memory'] },
  { role: 'tool', text: 'ok', toolNames: ['memory'] },
] as const

const setUp = () => {
  const [home, elsewhere] = [{ storage: {} }, { storage: {} }]
  const opened = {
    a: new SessionNesting(home, 'a', () => 0),
    b: new SessionNesting(home, 'b', () => 0),
    stranger: new SessionNesting(elsewhere, 'a', () => 0),
  }
  onTestFinished(() => {
    for (const nesting of Object.values(opened)) nesting.forget()
    closeNobodysCall(RESULT)
  })
  const call = (who: keyof typeof opened, prompt: readonly TurnMessage[] = TURN) => {
    opened[who].noteCall({ ...CALL, input: {}, prompt })
  }
  const find = (messages?: readonly TurnMessage[], runs = false) =>
    sessionOfCall({ ...CALL, messages }, ({ storage }) => storage === home.storage || storage === elsewhere.storage, { runs })
  return { call, find, home }
}

it('is the one whose model made it, by its id, its tool and what was said', () => {
  const { call, find, home } = setUp()
  expect(find()).toBeUndefined()
  call('a')
  expect(find()).toEqual({ home, sessionId: 'a' })
  expect(find(TURN)).toEqual({ home, sessionId: 'a' })
  expect(find([...TURN, { role: 'assistant', text: 'Yes.' }])).toEqual({ home, sessionId: 'a' })
  expect(find([user('Other words')])).toBeUndefined()
  expect(find([])).toBeUndefined()
})

it('is still known if it made the same call twice', () => {
  const { call, find } = setUp()
  call('a', [...TURN])
  call('a', [...TURN])
  expect(find()?.sessionId).toBe('a')
})

it.each([['b'], ['stranger']] as const)('is unknown if session %s made a call like it, unless the words differ', (other) => {
  const { call, find } = setUp()
  call('a')
  call(other, [user('Other words')])
  expect(find()).toBeUndefined()
  expect(find(TURN)?.sessionId).toBe('a')
})

it('is unknown beside a call without a session, until a prompt shows the result of that call', () => {
  const { call, find } = setUp()
  call('a')
  addNobodysCall({ ...CALL, input: {}, prompt: TURN })
  expect(find()).toBeUndefined()
  closeNobodysCall([user('Other words'), ...RESULT.slice(1)])
  expect(find()).toBeUndefined()
  closeNobodysCall(RESULT)
  expect(find()?.sessionId).toBe('a')
})

it('runs each call once', () => {
  const { call, find } = setUp()
  call('a')
  expect(find(TURN, true)?.sessionId).toBe('a')
  expect(find(TURN, true)).toBeUndefined()
  expect(find(TURN)?.sessionId).toBe('a')
})
