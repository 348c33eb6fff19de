/** The agent's own tools, and which of them Hermes may trust. */
import { readdirSync, readFileSync } from 'node:fs'
import { type Clock, systemClock } from '@hermes/core'
import { evaluateArithmetic, MAX_EXPRESSION_CHARS } from '@hermes/example-chat-parts/arithmetic'
import { tool } from 'ai'
import { z } from 'zod'

/** The sum is in the result too: a reviewer who reads the results alone sees what was worked out. */
const calculate = (expression: string) => {
  const worked = evaluateArithmetic(expression)
  return 'problem' in worked ? { success: false, expression, error: worked.problem } : { expression, result: worked.value }
}

const calculateTool = tool({
  description:
    'Works out a sum exactly. Use it for every calculation, however small. Knows + - * / ^ ( ), min, max, abs, sqrt, and rounding to a step: ' +
    'ceil(12.34, 0.1) = 12.4, floor(12.36, 0.1) = 12.3, round(12.345, 0.01) = 12.35. Decimals with a point, no thousands separators, no %.',
  inputSchema: z.object({ expression: z.string().min(1).max(MAX_EXPRESSION_CHARS).describe('For example 84.60 * 1.10 / 4') }),
  execute: ({ expression }) => calculate(expression),
})

const DIGITS = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** Weekday, date such as `2026-11-21`, time such as `23:05`, and offset such as `GMT+09:00`. */
const tellTime = (at: number, timeZone: string) => {
  try {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', ...DIGITS, timeZoneName: 'longOffset' })
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const { weekday, year, month, day, hour, minute, timeZoneName } = parts
    return {
      timeZone: format.resolvedOptions().timeZone,
      weekday,
      date: `${year}-${month}-${day}`,
      time: `${hour}:${minute}`,
      offset: timeZoneName,
    }
  } catch {
    const error = `There is no time zone '${timeZone.slice(0, 60)}'. Give an IANA name such as Europe/Oslo or Asia/Tokyo.`
    return { success: false, error }
  }
}

/** Without a zone: the machine's. */
const currentTimeTool = (clock: Clock) =>
  tool({
    description: "The date and the time of day now, in any time zone. Use it whenever the answer depends on today's date or the time.",
    inputSchema: z.object({
      timeZone: z.string().max(100).nullish().describe('An IANA name such as Europe/Oslo; left out: where the user is'),
    }),
    execute: ({ timeZone }) => tellTime(clock(), timeZone?.trim() || new Intl.DateTimeFormat().resolvedOptions().timeZone),
  })

const PAGES = new URL('../pages/', import.meta.url)
const pageNames: readonly string[] = readdirSync(PAGES)
  .flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []))
  .sort()

/** The text of a bundled page. Its words are somebody else's, so Hermes must not trust it. */
const readPageTool = tool({
  description: `Reads a page by its name. The pages are: ${pageNames.join(', ')}.`,
  inputSchema: z.object({ page: z.string().max(100).describe('The name alone, for example travel') }),
  execute: ({ page }) =>
    pageNames.includes(page)
      ? readFileSync(new URL(`${page}.md`, PAGES), 'utf8')
      : { success: false, error: `There is no page '${page}'. The pages are: ${pageNames.join(', ')}.` },
})

export const ownTools = (clock: Clock = systemClock) => ({
  calculate: calculateTool,
  current_time: currentTimeTool(clock),
  read_page: readPageTool,
})

/**
 * For `trustedTools`: what these answer was worked out here from what the agent asked, so it counts as the agent's own work. A tool that reads
 * files, mail or the web, such as `read_page`, must never be listed here: what it returns is somebody else's text, and a rule in it would be learned as
 * if the agent had found it out itself.
 */
export const TRUSTED_TOOLS: readonly string[] = ['calculate', 'current_time'] satisfies readonly (keyof ReturnType<typeof ownTools>)[]
