/** `calculate`: sums, so that the agent does none in its head. */
import { type Tool, tool } from 'ai'
import { z } from 'zod'
import { evaluateArithmetic, MAX_EXPRESSION_CHARS } from './arithmetic.ts'

/** The sum stands in the result too: a reviewer who reads the results alone sees what was worked out. */
export type CalculateResult =
  | { readonly expression: string; readonly result: number }
  | { readonly success: false; readonly expression: string; readonly error: string }

const runCalculate = (expression: string): CalculateResult => {
  const worked = evaluateArithmetic(expression)
  return 'problem' in worked ? { success: false, expression, error: worked.problem } : { expression, result: worked.value }
}

export const calculateTool: Tool<{ expression: string }, CalculateResult> = tool({
  description:
    'Works out a sum exactly. Use it for every calculation, however small. Knows + - * / ^ ( ), min, max, abs, sqrt, and rounding to a step: ' +
    'ceil(12.34, 0.1) = 12.4, floor(12.36, 0.1) = 12.3, round(12.345, 0.01) = 12.35. Decimals with a point, no thousands separators, no %.',
  inputSchema: z.object({ expression: z.string().min(1).max(MAX_EXPRESSION_CHARS).describe('For example 84.60 * 1.10 / 4') }),
  execute: ({ expression }) => runCalculate(expression),
})
