/** `current_time`: the date and the time in a time zone. */
import { type Clock, systemClock } from '@hermes/core'
import { type Tool, tool } from 'ai'
import { z } from 'zod'

export type CurrentTimeResult =
  | {
      readonly timeZone: string
      readonly weekday: string
      /** `2026-11-21`. */
      readonly date: string
      /** `23:05`. */
      readonly time: string
      /** `GMT+09:00`. */
      readonly offset: string
    }
  | { readonly success: false; readonly error: string }

const formatFor = (timeZone: string): Intl.DateTimeFormat | undefined => {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    })
  } catch {
    return undefined
  }
}

const tellTime = (at: number, timeZone: string): CurrentTimeResult => {
  const format = formatFor(timeZone)
  if (format === undefined) {
    return {
      success: false,
      error: `There is no time zone '${timeZone.slice(0, 60)}'. Give an IANA name such as Europe/Oslo or Asia/Tokyo.`,
    }
  }
  const parts = format.formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((candidate) => candidate.type === type)?.value ?? ''
  return {
    timeZone: format.resolvedOptions().timeZone,
    weekday: part('weekday'),
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
    offset: part('timeZoneName'),
  }
}

/** Without a zone: the machine's. */
export const currentTimeTool = (clock: Clock = systemClock): Tool<{ timeZone?: string | null | undefined }, CurrentTimeResult> =>
  tool({
    description: "The date and the time of day now, in any time zone. Use it whenever the answer depends on today's date or the time.",
    inputSchema: z.object({
      timeZone: z.string().max(100).nullish().describe('An IANA name such as Europe/Oslo; left out: where the user is'),
    }),
    execute: ({ timeZone }) => tellTime(clock(), timeZone?.trim() || new Intl.DateTimeFormat().resolvedOptions().timeZone),
  })
