import { expect, it } from 'vitest'
import { fingerprintOfBytes } from './fingerprint.ts'

it('distinguishes bytes that are not text', () => {
  expect(fingerprintOfBytes(Uint8Array.of(0xff))).not.toBe(fingerprintOfBytes(Uint8Array.of(0xfe)))
})
