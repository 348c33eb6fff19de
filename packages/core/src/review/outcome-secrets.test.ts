import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { emptyOutcome, redactError, redactOutcome } from './review-outcome.ts'

const KEY = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'
const REDACTED = '[redacted: looks like a secret]'
const fact = (content: string) => ({
  target: 'user' as const,
  op: { action: 'add' as const, content },
  rationale: 'said',
  score: 0.9,
  evidence: [],
})

describe('an error without a secret', () => {
  const cause = new TypeError('fetch failed', { cause: new HermesError('io', 'EIO', { details: { path: 'a' } }) })
  const error = new HermesError('model', 'The model failed: fetch failed', { cause, details: { answer: ['Nothing'] } })

  it('stays the same', () => {
    expect(redactError(error)).toBe(error)
  })
})

describe('an error with a secret', () => {
  it('keeps its code and what else its message says', () => {
    const told = redactError(new HermesError('model', `The model failed: Incorrect key provided: ${KEY}. It was tried twice.`))
    expect(told).toMatchObject({ code: 'model', message: `The model failed: Incorrect key provided: ${REDACTED}. It was tried twice.` })
  })

  it('loses the line of its message in which the secret is disguised', () => {
    const told = redactError(new HermesError('model', `The model failed:\n${KEY.replace('ghp_', 'ghp\u200b_')}\nTry again.`))
    expect(told.message).toBe(`The model failed:\n${REDACTED}\nTry again.`)
  })

  it.each([
    ['in its details', new HermesError('model', 'No.', { cause: new Error('No.'), details: { list: [{ text: KEY }], count: 1 } })],
    ['in its cause', new HermesError('model', 'No.', { cause: new Error(KEY), details: { list: [{ text: REDACTED }], count: 1 } })],
    [
      'in a cause of its cause',
      new HermesError('model', 'No.', {
        cause: new HermesError('io', 'No.', { cause: new Error('No.', { cause: new Error(KEY) }) }),
        details: { list: [{ text: REDACTED }], count: 1 },
      }),
    ],
    [
      'in a property of its cause',
      new HermesError('model', 'No.', {
        cause: Object.assign(new Error('No.'), { config: { headers: { authorization: KEY } } }),
        details: { list: [{ text: REDACTED }], count: 1 },
      }),
    ],
    [
      'in one of several errors',
      new HermesError('model', 'No.', {
        cause: new AggregateError([new Error(KEY)], 'No.'),
        details: { list: [{ text: REDACTED }], count: 1 },
      }),
    ],
    ['in a cause that is a text', new HermesError('model', 'No.', { cause: KEY, details: { list: [{ text: REDACTED }], count: 1 } })],
  ])('%s loses it and its cause', (_, error) => {
    const told = redactError(error)
    expect([told.code, told.message, told.cause]).toEqual(['model', 'No.', undefined])
    expect(told.details).toEqual({ list: [{ text: REDACTED }], count: 1 })
  })
})

/** Deeper than a function may call itself. */
const deep = (levels: number, end: string): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => ({ inner }), end)

it('an error with a deep cause stays the same without a secret', () => {
  const error = new HermesError('model', 'No.', { cause: deep(9_000, 'end') })
  expect(redactError(error) === error).toBe(true)
})

it.each([
  ['of many objects', Array.from({ length: 20_000 }, () => ({}))],
  ['of many texts', Array.from({ length: 2_000 }, () => 'word '.repeat(200))],
  ['that is deep', deep(20_000, 'end')],
  ['with a secret at its end', deep(9_000, KEY)],
  [
    'that cannot be read',
    Object.defineProperty({}, 'socket', {
      enumerable: true,
      get: () => {
        throw new TypeError('Closed.')
      },
    }),
  ],
])('an error with a cause %s loses the cause alone', (_, cause) => {
  const { message, cause: kept, details } = redactError(new HermesError('model', 'No.', { cause, details: { count: 1 } }))
  expect({ message, kept, details }).toEqual({ message: 'No.', kept: undefined, details: { count: 1 } })
})

describe('an error that holds itself', () => {
  const inItself = (message: string) => {
    const cause = new Error(message)
    cause.cause = cause
    const details: Record<string, unknown> = { message }
    details['self'] = details
    return new HermesError('gate', 'No.', { cause, details })
  }

  it('stays the same without a secret', () => {
    const error = inItself('Down.')
    expect(redactError(error)).toBe(error)
  })

  it('loses its cause and its details with one', () => {
    const { code, message, cause, details } = redactError(inItself(KEY))
    expect({ code, message, cause, details }).toEqual({ code: 'gate', message: 'No.', cause: undefined, details: {} })
  })
})

it('keeps errors and dates in the details of an error with a secret', () => {
  const error = new HermesError('over_limit', 'Too long.')
  const outcome = {
    ...emptyOutcome(),
    failed: [
      { proposal: fact('Likes tea'), error },
      { proposal: fact('Likes milk'), error: new HermesError('io', KEY) },
    ],
  }
  const at = new Date(0)
  const told = redactError(new HermesError('model', `Incorrect key: ${KEY}`, { details: { outcome, at } }))
  const shown = told.details['outcome'] as typeof outcome
  expect(shown.failed[0]?.error).toBe(error)
  expect(HermesError.isInstance(shown.failed[1]?.error)).toBe(true)
  expect(shown.failed[1]?.error.message).toBe(REDACTED)
  expect(told.details['at']).toBe(at)
})

describe('an outcome', () => {
  it('keeps what holds no secret', () => {
    const error = new HermesError('over_limit', 'Too long.')
    const outcome = {
      applied: [],
      held: [{ proposal: fact('Likes tea'), reason: 'Ask.', pendingId: '1' }],
      rejected: [{ proposal: fact('Likes coffee'), reason: 'No.' }],
      failed: [{ proposal: fact('Likes milk'), error }],
    }
    expect(redactOutcome(outcome)).toEqual(outcome)
    expect(redactOutcome(outcome).failed[0]?.error).toBe(error)
    expect(redactOutcome(emptyOutcome())).toEqual(emptyOutcome())
  })

  it('loses the secrets of a proposal, of a reason and of an error', () => {
    const { held, rejected, failed } = redactOutcome({
      applied: [],
      held: [{ proposal: fact(KEY), reason: KEY, pendingId: '1' }],
      rejected: [{ proposal: fact(`It is\n${KEY}`), reason: KEY }],
      failed: [{ proposal: fact(KEY), error: new HermesError('io', KEY) }],
    })
    expect(held).toEqual([{ proposal: fact(REDACTED), reason: REDACTED, pendingId: '1' }])
    expect(rejected).toEqual([{ proposal: fact(`It is\n${REDACTED}`), reason: REDACTED }])
    expect(failed).toMatchObject([{ proposal: fact(REDACTED), error: { code: 'io', message: REDACTED } }])
  })

  it('shows no proposal that contains itself', () => {
    const proposal: Record<string, unknown> = { text: 'a' }
    proposal['self'] = proposal
    const { rejected } = redactOutcome({ ...emptyOutcome(), rejected: [{ proposal, reason: 'No.' }] })
    expect(rejected).toEqual([{ proposal: '[cannot be shown as JSON]', reason: 'No.' }])
  })
})
