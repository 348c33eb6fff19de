/** The order of the keys is that of Python: by code point, whatever UTF-16 says. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { toPythonJson } from './python-json.ts'

const byCodePoints = (a: string, b: string): number => {
  const [left, right] = [[...a], [...b]].map((points) => points.map((point) => point.codePointAt(0) ?? 0)) as [number[], number[]]
  const at = left.findIndex((point, index) => point !== right[index])
  return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1)
}

it('sorts any keys by their code points, unpaired surrogates and prefixes included', () => {
  const unit = fc.constantFrom('a', 'b', '\u{1f600}', '\ud800', '\udc00', '\uffff', '\ue000', '')
  const key = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''))
  void fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 12 }), (keys) => {
      const written = toPythonJson(new Map(keys.map((name) => [name, 1])))
      expect(Object.keys(JSON.parse(written))).toEqual(keys.toSorted(byCodePoints))
    }),
    { seed: 1, numRuns: rounds(300) },
  )
})
