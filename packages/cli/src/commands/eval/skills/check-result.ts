/** Decides by rules whether the result of a task is right. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { judgeAnswer } from '@hermes/core/skills'
import type { ResultCheck } from '../../../../../../benchmarks/skills/families.ts'

/** Without the fence that models like to put around code. */
const withoutFence = (text: string): string => /^\s*```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads `1,234.50`, `1 234.50` and `1'234.50`. */
const lastNumber = (text: string): number | undefined => {
  const written = text.match(/-?\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?/g)?.at(-1)
  return written === undefined ? undefined : Number(written.replace(/[,' ]/g, ''))
}

/** The first of the texts that does not come after those before it. */
const firstOutOfOrder = (text: string, order: readonly string[]): string | undefined => {
  let from = 0
  return order.find((each) => {
    const at = text.indexOf(each, from)
    from = at + each.length
    return at < 0
  })
}

/** Longer results are cut: nothing that is asked for is as long. */
const MAX_CHARS = 20_000

/** What is wrong with the result, for a person; nothing if it is right. */
export const faultsOf = (
  result: string,
  { holds = [], never = [], order = [], matches = [], json, number }: ResultCheck,
): readonly string[] => {
  const text = withoutFence(result.slice(0, MAX_CHARS)).trim()
  const misplaced = firstOutOfOrder(text, order)
  const { missing, forbidden } = judgeAnswer({ task: '', holds, never }, text)
  const found = number === undefined ? undefined : lastNumber(text)
  return [
    ...missing.map((each) => `lacks '${each}'`),
    ...forbidden.map((each) => `has '${each}'`),
    ...(misplaced === undefined ? [] : [`lacks '${misplaced}' in its place`]),
    ...matches.filter((pattern) => !new RegExp(pattern, 'mu').test(text)).map((pattern) => `does not match /${pattern}/`),
    ...(json === undefined || isDeepStrictEqual(parseJson(text), json) ? [] : [`is not the JSON ${JSON.stringify(json)}`]),
    ...(number === undefined || (found !== undefined && Math.abs(found - number) < 1e-9)
      ? []
      : [`ends with ${found ?? 'no number'}, not ${number}`]),
  ]
}
