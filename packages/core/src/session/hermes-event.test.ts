import { expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { wiringEvent } from './hermes-event.ts'

const failure = { mistake: 'missing-session', message: 'Name a session.' } as const
const clock = () => 5

it('the event of a wiring mistake names the session of the call, if it has one, and the cause, if there is one', () => {
  const event = { type: 'wiring-failed', at: 5, mistake: 'missing-session', error: new HermesError('invalid', 'Name a session.') }
  expect(wiringEvent(failure, clock)).toStrictEqual(event)
  expect(wiringEvent(failure, clock, 'one')).toStrictEqual({ ...event, sessionId: 'one' })
  const cause = new Error('why')
  const caused = wiringEvent({ ...failure, cause }, clock)
  expect(caused.type === 'wiring-failed' && caused.error.cause).toBe(cause)
  const plain = wiringEvent(failure, clock)
  expect(plain.type === 'wiring-failed' && 'cause' in plain.error).toBe(false)
})
