/** Merges the lines of a day document with those of appends: ordered by time, without repeated lines. Pure. */
import { timeOfLine } from './journal-lines.ts'

interface Timed<Line> {
  readonly line: Line
  readonly at: number
}

/** A line without a time stays after the line before it. */
const timed = <Line>(lines: readonly Line[], textOf: (line: Line) => string): readonly Timed<Line>[] => {
  let last = Number.NEGATIVE_INFINITY
  return lines.map((line) => {
    last = Math.max(last, timeOfLine(textOf(line)) ?? last)
    return { line, at: last }
  })
}

/**
 * Each list is in its own order. An added line that is already in `current` is dropped: a process killed after writing the day document
 * and before removing the appends leaves both.
 */
export const mergeLines = <Line>(current: readonly Line[], added: readonly Line[], textOf: (line: Line) => string): readonly Line[] => {
  const known = new Set(current.map(textOf))
  const fresh = added.filter((line) => !known.has(textOf(line)))
  if (fresh.length === 0) return current
  if (current.length === 0) return fresh
  const merged: Line[] = []
  const rest = [...timed(fresh, textOf)]
  let next = 0
  for (const { line, at } of timed(current, textOf)) {
    for (let other = rest[next]; other && other.at < at; other = rest[next]) {
      merged.push(other.line)
      next += 1
    }
    merged.push(line)
  }
  return [...merged, ...rest.slice(next).map(({ line }) => line)]
}
