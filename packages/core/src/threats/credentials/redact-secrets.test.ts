import { describe, expect, it } from 'vitest'
import { REDACTED, redactSecrets } from './redact-credentials.ts'

const secret = 'The password is hunter2hunter2'

describe('redactSecrets', () => {
  it('goes over every text and leaves the shape', () => {
    expect(redactSecrets({ a: [`x\n${secret}`, 'fine'], b: { c: 1, d: null } })).toEqual({
      a: [`x\n${REDACTED}`, 'fine'],
      b: { c: 1, d: null },
    })
  })
})
