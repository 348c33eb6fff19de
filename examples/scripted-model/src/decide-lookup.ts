/** Sums, the time, pages and files: each goes to its tool, and the answer is what the tool said. */
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

/** A page by its name, a file by its path. */
const READABLE = {
  file: { tool: 'read_file', asked: /^(?:please )?read (?:me )?the file (\S+?)[.!]?$/i, toInput: (path: string) => ({ path }) },
  page: {
    tool: 'read_page',
    asked: /^(?:please )?read (?:me )?the (.+?) page\b/i,
    toInput: (page: string) => ({ page: page.toLowerCase() }),
  },
} as const

const MAX_SHOWN = 300

export const decideReadStep: Decider = (scene) => {
  const kind = READABLE.file.asked.test(scene.text) ? 'file' : 'page'
  const { tool, asked, toInput } = READABLE[kind]
  const name = asked.exec(scene.text)?.[1]
  if (name === undefined) return undefined
  const read = scene.calls.findLast(({ toolName }) => toolName === tool)
  if (read === undefined) return call(scene, tool, toInput(name))
  if (!read.success) return say(`I could not do that: ${read.problem}`)
  const text = String(read.output)
  const written = scene.calls.filter(({ toolName }) => toolName === MEMORY_TOOL).length
  const next = believe(text)[written]
  if (next !== undefined) return call(scene, MEMORY_TOOL, { action: 'add', target: next.target, content: next.content })
  const words = text
    .replace(/^# .*\n/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return say(`The ${kind} says: ${words.length <= MAX_SHOWN ? words : `${words.slice(0, MAX_SHOWN)}…`}`)
}
