/** What a session tells the host's listener of failures, in words that say what they mean. */
import { callSafely } from '../shared/call-safely.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { HermesEvent } from './hermes-event.ts'

export interface SessionReports {
  readonly emit: (event: HermesEvent) => void
  /** A part of Hermes could not read or write. */
  readonly failed: (operation: string, error: HermesError) => void
  /** A method was called with what it cannot take. */
  readonly misused: (method: string, error: HermesError) => void
  /** Work behind the turn threw: a defect. */
  readonly crashed: (cause: unknown) => void
  /** The host's `background` threw or rejected. */
  readonly notTaken: (cause: unknown) => void
}

export interface SessionReportDeps {
  readonly id: string
  readonly clock: Clock
  readonly onEvent: (event: HermesEvent) => void
}

export const sessionReports = ({ id, clock, onEvent }: SessionReportDeps): SessionReports => {
  // A listener's fault is not the session's, and there is nobody left to tell.
  const emit = (event: HermesEvent) => callSafely(onEvent, event)
  const failed = (operation: string, error: HermesError) => emit({ type: 'storage-failed', sessionId: id, at: clock(), operation, error })
  const misused = (operation: string, error: HermesError) => emit({ type: 'host-failed', sessionId: id, at: clock(), operation, error })
  return {
    emit,
    failed,
    misused,
    crashed: (cause) =>
      failed(
        'background',
        HermesError.isInstance(cause) ? cause : new HermesError('io', `Work behind the turn stopped: ${String(cause)}`, { cause }),
      ),
    notTaken: (cause) => {
      const message = `The function passed as 'background' failed: ${String(cause)}. The work goes on, but a platform that stops after the response may not let it finish.`
      misused('background', new HermesError('invalid', message, { cause }))
    },
  }
}
