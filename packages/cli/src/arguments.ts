/** Parses and checks numbers, times and ids given as arguments. The parser reports what these functions throw as wrong usage. */
import { projectFault } from '@hermes/core/memory'

/** For `coerce`: lets an option that was given twice pass, since that is reported elsewhere. */
export const textOption =
  <T>(read: (text: string) => T) =>
  (value: unknown): T =>
    read(String(Array.isArray(value) ? value[0] : value))

/** An integer from `least` to `most`. */
export const wholeNumber = (name: string, least: number, most: number) =>
  textOption((text) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= least && number <= most) return number
    throw new Error(`--${name} takes a whole number from ${least} to ${most}, not '${text}'.`)
  })

/** The name of a project. */
export const projectName = textOption((text) => {
  const fault = projectFault(text)
  if (fault === undefined) return text
  throw new Error(`--project ${fault}.`)
})

const HOUR_MS = 3_600_000

const SPANS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS }

/**
 * A point in the past: `3d`, `2w`, `2026-05-23`, `2026-05-23T14:00Z`. The parsed value is a function from the current time to that point,
 * both in epoch milliseconds.
 */
export const pastTime = (name: string) =>
  textOption((text) => {
    const span = /^(\d{1,6})([mhdw])$/.exec(text)
    const unit = SPANS[span?.[2] ?? '']
    if (span && unit !== undefined) return (now: number): number => now - Number(span[1]) * unit
    const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
    if (!Number.isNaN(at)) return (): number => at
    throw new Error(`--${name} takes a span such as 30m, 12h, 3d or 2w, or a date such as 2026-05-23, not '${text}'.`)
  })
