/** Questions about the time go to the current_time tool. */
import { z } from 'zod'
import { call, type Decider, say } from './scripted-step.ts'

const TIME_TOOL = 'current_time'
const ASKED =
  /^(?:please )?(?:tell me )?(?:what(?:'s|’s| is)?|which)\s+(?:the )?(?:current )?(time|date|day)(?: is it| of day| now| today)*(?: (?:in|at) ([\p{L}][\p{L} ._/-]*?))?(?: now| today)?\s*\?*$/iu
const timeSchema = z.object({ timeZone: z.string(), weekday: z.string(), date: z.string(), time: z.string() })

/** A city by its name; what is not found goes to the tool as it is, which says what is right. */
const zoneOf = (place: string): string => {
  const wanted = place.trim().replaceAll(' ', '_').toLowerCase()
  return Intl.supportedValuesOf('timeZone').find((zone) => zone.split('/').at(-1)?.toLowerCase() === wanted) ?? place.trim()
}

export const decideTimeStep: Decider = (scene) => {
  const asked = ASKED.exec(scene.text)
  if (asked === null) return undefined
  const told = scene.calls.findLast(({ toolName }) => toolName === TIME_TOOL)
  if (told === undefined) return call(scene, TIME_TOOL, asked[2] === undefined ? {} : { timeZone: zoneOf(asked[2]) })
  const now = timeSchema.safeParse(told.output).data
  if (now === undefined) return say(`I could not do that: ${told.problem}`)
  return say(
    asked[1]?.toLowerCase() === 'time' ? `It is ${now.time} (${now.timeZone}).` : `It is ${now.weekday}, ${now.date} (${now.timeZone}).`,
  )
}
