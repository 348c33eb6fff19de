/** What may be shown of a block that the model opened and never closed. Pure. */

/** A line shares with a fence a run of so many letters and digits, or a shorter line of the fence that has at least the minimum. */
const MAX_RUN = 16
const MIN_RUN = 4

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

const TAG_LETTERS = 'memorycontext'

const linesOf = (fence: string): readonly string[] =>
  fence
    .split('\n')
    .map(lettersOf)
    .filter((line) => line !== '' && line !== TAG_LETTERS)

const runsOf = (line: string, length: number): readonly string[] =>
  Array.from({ length: Math.max(0, line.length - length + 1) }, (_, at) => line.slice(at, at + length))

/** Tells whether a line repeats one of the fences. `isLast`: the line may be cut off. */
const repetitionOf = (fences: readonly string[]): ((line: string, isLast: boolean) => boolean) => {
  const fenced = fences.flatMap(linesOf)
  const whole = new Set(fenced)
  const runs = new Set(fenced.flatMap((line) => (line.length < MAX_RUN ? [line] : runsOf(line, MAX_RUN))))
  const lengths = [...new Set(fenced.map(({ length }) => Math.min(length, MAX_RUN)))].filter((length) => length >= MIN_RUN)
  return (line, isLast) => {
    const own = lettersOf(line)
    if (own === '') return false
    if (whole.has(own) || (isLast && fenced.some((each) => each.startsWith(own)))) return true
    return lengths.some((length) => runsOf(own, length).some((run) => runs.has(run)))
  }
}

/**
 * The text behind the last line that repeats a line of a fence: one that equals it, contains it, begins it at the end of the text, or has
 * 16 letters and digits in a row in common with it; case, white space and marks do not count. All of the text if no line does.
 */
export const afterRepeatedLines = (text: string, fences: readonly string[]): string => {
  const repeats = repetitionOf(fences)
  const lines = text.split('\n')
  const last = lines.findLastIndex((line, at) => repeats(line, at === lines.length - 1))
  return lines.slice(last + 1).join('\n')
}
