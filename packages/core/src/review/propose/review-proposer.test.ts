import { expect, it } from 'vitest'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok } from '../../shared/result.ts'
import { drop, itemsOf } from './review-proposer.ts'

it('takes for dropped only what says so with a reason; all else is a proposal to validate', () => {
  const dropped = drop('cut off', { a: 1 })
  const raw = [{ error: { reason: 'x' } }, { ok: false, error: { reason: 7 } }, { ok: false }, null, 'text', { target: 'memory' }]
  expect(itemsOf({ items: [dropped, ok(raw[5]), ...raw] as never })).toEqual([dropped, ok(raw[5]), ...raw.map(ok)])
  expect(itemsOf([dropped, 7])).toEqual([ok(dropped), ok(7)])
})

it('is no list otherwise', () => {
  for (const given of [undefined, null, 'text', {}, { items: 7 }, err(new HermesError('model', 'no'))]) {
    expect(itemsOf(given as never)).toBeUndefined()
  }
})
