/** Draws numbers in one line of text. Pure. */

const BLOCKS = [...'▁▂▃▄▅▆▇█']
const ASCII = [...'_.:-=+*#']

/** Locales name their character set; without one, a terminal of today is taken to show Unicode. */
export const showsUnicode = (env: Readonly<Record<string, string | undefined>>): boolean => {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '')
  return locale === undefined || /utf-?8/i.test(locale)
}

/** Only the lowest mark is a zero; the highest is the greatest of the numbers. */
export const sparkline = (values: readonly number[], unicode: boolean): string => {
  const marks = unicode ? BLOCKS : ASCII
  const most = Math.max(0, ...values)
  const markOf = (value: number): string => {
    if (value <= 0 || most === 0) return marks[0] ?? ''
    return marks[Math.max(1, Math.round((value / most) * (marks.length - 1)))] ?? ''
  }
  return values.map(markOf).join('')
}

/** At most `width` numbers, each for several neighbours. `combine`: such as their sum, or the last of them. */
export const fitTo = (values: readonly number[], width: number, combine: (some: readonly number[]) => number): readonly number[] => {
  if (values.length <= width) return values
  const size = Math.ceil(values.length / Math.max(1, width))
  // The last group ends at the present.
  const first = values.length % size
  const starts = Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    first === 0 ? index * size : index * size - (size - first),
  )
  return starts.map((start) => combine(values.slice(Math.max(0, start), start + size)))
}
