/** What an adapter found wrong, as an event. */
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { HermesEvent, WiringFailure } from './hermes-event.ts'

/** Without a `sessionId` the call belongs to no session. */
export const wiringEvent = ({ mistake, message, cause }: WiringFailure, clock: Clock, sessionId?: string): HermesEvent => ({
  type: 'wiring-failed',
  ...(sessionId === undefined ? {} : { sessionId }),
  at: clock(),
  mistake,
  error: new HermesError('invalid', message, cause === undefined ? {} : { cause }),
})
