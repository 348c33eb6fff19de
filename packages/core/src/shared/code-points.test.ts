import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countCodePoints } from './code-points.ts'

it('counts code points, lone halves of a pair among them', () => {
  const unit = fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00', '\ud800', '\udfff', '\ue000')
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 8 }), (units) => {
      expect(countCodePoints(units.join(''))).toBe([...units.join('')].length)
    }),
    { seed: 5 },
  )
})
