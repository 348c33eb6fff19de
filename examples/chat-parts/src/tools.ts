/** Tools of any agent: sums, the time, files below a folder, and pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { tool } from 'ai'
import { z } from 'zod'
import { evaluateArithmetic, MAX_EXPRESSION_CHARS } from './arithmetic.ts'
import { MAX_FILE_BYTES, readTextFile } from './read-text-file.ts'

/** The sum is in the result too: a reviewer who reads the results alone sees what was worked out. */
const calculate = (expression: string) => {
  const worked = evaluateArithmetic(expression)
  return 'problem' in worked ? { success: false, expression, error: worked.problem } : { expression, result: worked.value }
}

export const calculateTool = tool({
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

/** Without a zone: the machine's. `clock`: epoch milliseconds. */
export const currentTimeTool = (clock: () => number) =>
  tool({
    description: "The date and the time of day now, in any time zone. Use it whenever the answer depends on today's date or the time.",
    inputSchema: z.object({
      timeZone: z.string().max(100).nullish().describe('An IANA name such as Europe/Oslo; left out: where the user is'),
    }),
    execute: ({ timeZone }) => tellTime(clock(), timeZone?.trim() || new Intl.DateTimeFormat().resolvedOptions().timeZone),
  })

/** Text files below `folder`. What they say is somebody else's text. */
export const readFileTool = (folder: string) =>
  tool({
    description: `Reads a text file of up to ${MAX_FILE_BYTES / 1024} KiB below the folder that the chat was started in.`,
    inputSchema: z.object({ path: z.string().min(1).max(500).describe('Relative to that folder, for example docs/notes.md') }),
    execute: async ({ path }) => {
      const read = await readTextFile(folder, path)
      return 'text' in read ? read.text : { success: false, error: read.problem }
    },
  })

/** The text of a page by its name. `folder`: of the pages, each in a file such as `travel.md`; with a slash at its end. */
export const readPageTool = (folder: URL) => {
  const names = readdirSync(folder)
    .flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []))
    .sort()
  const listed = `The pages are: ${names.join(', ')}.`
  return tool({
    description: `Reads a page by its name. ${listed}`,
    inputSchema: z.object({ page: z.string().max(100).describe('The name alone, for example travel') }),
    execute: ({ page }) =>
      names.includes(page)
        ? readFileSync(new URL(`${page}.md`, folder), 'utf8')
        : { success: false, error: `There is no page '${page}'. ${listed}` },
  })
}
