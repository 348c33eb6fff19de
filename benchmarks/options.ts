/** What the options of the benchmarks have in common. A wrong one is a RangeError, whose message is shown without a stack. */

/** A whole number. `name`: of the option, without dashes. */
export const readCount = (name: string, text: string, least: number): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least) throw new RangeError(`'--${name}' must be a whole number, ${least} or more.`)
  return value
}

/** Those that `wanted` is part of the name of: a benchmark of nothing would look as if everything held. */
export const named = <T>(name: string, wanted: string, all: readonly T[], nameOf: (one: T) => string): readonly T[] => {
  const found = all.filter((one) => nameOf(one).includes(wanted))
  if (found.length > 0) return found
  throw new RangeError(`Nothing has '${wanted}' in its name, for '--${name}'. There are: ${[...new Set(all.map(nameOf))].join(', ')}.`)
}
