/** Sums, the time and pages: each goes to its tool, and the answer is what the tool said. */
import { z } from 'zod'
import { believe } from './facts.ts'
import { call, type Decider, say } from './scene.ts'
import { CALCULATE_TOOL, MEMORY_TOOL, sumProblem, workedSums } from './tool-calls.ts'

const SUM_ASKED =
  /^(?:please )?(?:what(?:'s|’s| is)|calculate|compute|work out|how much is|and)?\s*([-(\d.][-\d\s.+*/^()×÷x]*[\d).])\s*[?=.]*$/i

const expressionIn = (text: string): string | undefined => {
  const expression = SUM_ASKED.exec(text)?.[1]
    ?.replaceAll(/\s*x\s*/gi, ' * ')
    .trim()
  return expression !== undefined && /[\d)]\s*[-+*/^×÷]/.test(expression) ? expression : undefined
}

export const decideSumStep: Decider = (scene) => {
  const expression = expressionIn(scene.text)
  if (expression === undefined) return undefined
  const problem = sumProblem(scene.calls)
  if (problem !== undefined) return say(`I could not work that out: ${problem}`)
  const done = workedSums(scene.calls).at(-1)
  return done === undefined ? call(scene, CALCULATE_TOOL, { expression }) : say(`${expression} = ${done.result}`)
}

const TIME_TOOL = 'current_time'
const TIME_ASKED =
  /^(?:please )?(?:tell me )?(?:what(?:'s|’s| is)?|which)\s+(?:the )?(?:current )?(time|date|day)(?: is it| of day| now| today)*(?: (?:in|at) ([\p{L}][\p{L} ._/-]*?))?(?: now| today)?\s*\?*$/iu
const timeSchema = z.object({ timeZone: z.string(), weekday: z.string(), date: z.string(), time: z.string() })

/** A city by its name; what is not found goes to the tool as it is, which says what is right. */
const zoneOf = (place: string): string => {
  const wanted = place.trim().replaceAll(' ', '_').toLowerCase()
  return Intl.supportedValuesOf('timeZone').find((zone) => zone.split('/').at(-1)?.toLowerCase() === wanted) ?? place.trim()
}

export const decideTimeStep: Decider = (scene) => {
  const asked = TIME_ASKED.exec(scene.text)
  if (asked === null) return undefined
  const told = scene.calls.findLast(({ toolName }) => toolName === TIME_TOOL)
  if (told === undefined) return call(scene, TIME_TOOL, asked[2] === undefined ? {} : { timeZone: zoneOf(asked[2]) })
  const now = timeSchema.safeParse(told.output).data
  if (now === undefined) return say(`I could not do that: ${told.problem}`)
  return say(
    asked[1]?.toLowerCase() === 'time' ? `It is ${now.time} (${now.timeZone}).` : `It is ${now.weekday}, ${now.date} (${now.timeZone}).`,
  )
}

const READ_PAGE_TOOL = 'read_page'
const PAGE_ASKED = /^(?:please )?read (?:me )?the (.+?) page\b/i

export const decidePageStep: Decider = (scene) => {
  const page = PAGE_ASKED.exec(scene.text)?.[1]?.toLowerCase()
  if (page === undefined) return undefined
  const read = scene.calls.findLast(({ toolName }) => toolName === READ_PAGE_TOOL)
  if (read === undefined) return call(scene, READ_PAGE_TOOL, { page })
  if (!read.success) return say(`I could not do that: ${read.problem}`)
  const text = String(read.output)
  const written = scene.calls.filter(({ toolName }) => toolName === MEMORY_TOOL).length
  const next = believe(text)[written]
  if (next !== undefined) return call(scene, MEMORY_TOOL, { action: 'add', target: next.target, content: next.content })
  return say(
    `The page says: ${text
      .replace(/^# .*\n/, '')
      .replace(/\s+/g, ' ')
      .trim()}`,
  )
}
