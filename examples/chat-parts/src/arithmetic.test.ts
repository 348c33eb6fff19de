import { describe, expect, it } from 'vitest'
import { evaluateArithmetic } from './arithmetic.ts'

describe('sums', () => {
  it.each([
    ['84.60 * 1.10', 93.06],
    ['1.1 * 10', 11],
    ['0.1 + 0.2', 0.3],
    ['2 + 3 * 4 - 6 / 2', 11],
    ['(2 + 3) * -4', -20],
    ['10 - 3 - 2', 5],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ** -1', 0.5],
    ['.5 × 4 ÷ 2 − 1', 0],
    ['ceil(84.60 * 1.10 / 4, 0.1)', 23.3],
    ['ceil(1.1 * 10)', 11],
    ['floor(12.36, 0.1)', 12.3],
    ['round(12.345, 0.01)', 12.35],
    ['round(-2.5)', -3],
    ['MAX(1, min(5, 3), abs(-2)) + sqrt(16)', 7],
    ['1e3 + 1', 1001],
  ])('%s = %d', (text, value) => {
    expect(evaluateArithmetic(text)).toEqual({ value })
  })

  it.each([
    ['', /empty/],
    ['2 +', /ends too early/],
    ['* 2', /missing before '\*'/],
    ['(1 + 2', /'\)' is missing/],
    ['1 + 2)', /'\(' is missing/],
    ['2 3', /sign such as/],
    ['1,200 * 2', /without thousands separators/],
    ['84.60 + 10%', /Write 10 per cent as 0\.10/],
    ['1 / (2 - 2)', /divides by zero/],
    ['sqrt(-1)', /no finite result/],
    ['10 ^ 999', /no finite result/],
    ['round(1, 2, 3)', /at most 2 values/],
    ['process.exit(1)', /'\.' is not understood/],
    ['constructor(1)', /'constructor' is not understood/],
    ['x + 1', /'x' is not understood\. Use numbers/],
    ['('.repeat(501), /longer than 500/],
    ['('.repeat(500), /ends too early/],
  ])('tells what is wrong with: %s', (text, problem) => {
    expect(evaluateArithmetic(text)).toEqual({ problem: expect.stringMatching(problem) })
  })
})
