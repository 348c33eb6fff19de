import { expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { notWritten } from './tool-replies.ts'

const proposal = { target: 'memory', op: { action: 'add', content: 'x' }, rationale: '', score: 1 } as const

it.each([
  [
    { kind: 'failed', proposal, error: new HermesError('over_limit', 'No room.', { details: { room: 0 } }) },
    { kind: 'refused', code: 'over_limit', message: 'No room.', details: { room: 0 } },
  ],
  [
    { kind: 'rejected', proposal, reason: 'No.' },
    { kind: 'refused', code: 'rejected', message: 'No.' },
  ],
  [
    { kind: 'held', proposal, reason: 'Ask.', pendingId: 'p1' },
    { kind: 'held', reason: 'Ask.', pendingId: 'p1' },
  ],
  [
    { kind: 'held', proposal, reason: 'Ask.' },
    { kind: 'held', reason: 'Ask.' },
  ],
] as const)('what was not written is refused or held: %o', (disposed, reply) => {
  expect(notWritten(disposed)).toStrictEqual(reply)
})
