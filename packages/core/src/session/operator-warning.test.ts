import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HermesError, type HermesErrorCode } from '../shared/hermes-error.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { type HermesEvent, operatorWarning } from './hermes-event.ts'

const lines: string[] = []

beforeEach(() => {
  lines.length = 0
  vi.spyOn(console, 'warn').mockImplementation((...words) => lines.push(words.join(' ')))
})
afterEach(() => vi.restoreAllMocks())

const failed = (type: string, code: HermesErrorCode): HermesEvent =>
  ({ type, sessionId: 'one', at: 1, operation: 'background', error: new HermesError(code, 'It broke.') }) as HermesEvent

it.each<[string, HermesEvent, boolean]>([
  ['code of the host failed', failed('host-failed', 'invalid'), true],
  ['a storage refuses writes', failed('storage-failed', 'unwritable'), true],
  ['a storage was slow', failed('storage-failed', 'timeout'), false],
  ['a call was wired wrongly', failed('wiring-failed', 'io'), false],
  ['a session begins', { type: 'session-started', sessionId: 'one', at: 1 } as unknown as HermesEvent, false],
])('warns once if %s: %s', (_, event, warns) => {
  const warn = operatorWarning(inMemoryBackend())
  for (let time = 0; time < 2; time++) warn(event)
  expect(lines).toEqual(warns ? [expect.stringContaining('It broke. Pass the option')] : [])
})
