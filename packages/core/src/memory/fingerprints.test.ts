import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { fingerprintsOf, MAX_REMEMBERED_TEXTS, rememberFingerprints } from './fingerprints.ts'

it('gives the same as without a memory, whatever was asked for before', async () => {
  const text = fc.oneof(fc.constantFrom('', 'a', 'b', '__proto__'), fc.string({ maxLength: 20, unit: 'grapheme' }))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 10 }), async (lists) => {
      const remembered = rememberFingerprints()
      for (const texts of lists) expect(await remembered(texts)).toEqual(await fingerprintsOf(texts))
    }),
    { seed: 20_262, numRuns: rounds(100) },
  )
})

it('keeps to the order when it forgets and when it is asked for several lists at once', async () => {
  const remembered = rememberFingerprints()
  const many = Array.from({ length: 1.5 * MAX_REMEMBERED_TEXTS }, (_, index) => `note ${index % (1.25 * MAX_REMEMBERED_TEXTS)}`)
  const [first, second] = await Promise.all([remembered(many), remembered(many.slice(0, 300))])
  expect(first).toEqual(await fingerprintsOf(many))
  expect(second).toEqual(first.slice(0, 300))
  expect(await remembered(many.slice(300))).toEqual(first.slice(300))
})

it('keeps the fingerprint of a text that another call pushes out while this one waits', async () => {
  const remembered = rememberFingerprints()
  const filling = Array.from({ length: MAX_REMEMBERED_TEXTS }, (_, index) => `note ${index}`)
  await remembered(filling)
  // Long texts are hashed elsewhere, so the second call is over first.
  const texts = ['note 0', 'long '.repeat(1_000)]
  const [first] = await Promise.all([remembered(texts), remembered(['another note'])])
  expect(first).toEqual(await fingerprintsOf(texts))
})
