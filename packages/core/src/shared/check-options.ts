/** Checks the options of a host, fills in their defaults, and says what is wrong with them. Without zod, which a start need not load. */

/** Returns what counts, and adds what is wrong. `path`: of the option, such as `memory.whenFull`; `''` for all options together. */
export type Option<T> = (given: unknown, path: string, problems: string[]) => T

export type OptionValue<Of> = Of extends Option<infer T> ? T : never

const nameOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const expected = (what: string, value: unknown): string => `Invalid input: expected ${what}, received ${nameOf(value)}`

const refuse = (path: string, problems: string[], message: string): void =>
  void problems.push(path === '' ? message : `'${path}': ${message}`)

/** `fault`: what is wrong with a value; undefined if nothing is. `preset`: where the option was left out. */
export const option =
  <T>(fault: (given: unknown) => string | undefined, preset: T): Option<T> =>
  (given, path, problems) => {
    if (given === undefined && preset !== undefined) return preset
    const message = given === undefined ? undefined : fault(given)
    if (message !== undefined) refuse(path, problems, message)
    return given as T
  }

/** An option that has to be given. */
export const required =
  <T>(fault: (given: unknown) => string | undefined): Option<T> =>
  (given, path, problems) => {
    const message = fault(given)
    if (message !== undefined) refuse(path, problems, message)
    return given as T
  }

export const flag = (preset: boolean): Option<boolean> =>
  option((given) => (typeof given === 'boolean' ? undefined : expected('boolean', given)), preset)

export const oneOf = <const Word extends string, Preset extends Word | undefined>(
  words: readonly Word[],
  preset: Preset,
): Option<Word | Preset> =>
  option<Word | Preset>(
    (given) =>
      words.some((word) => word === given) ? undefined : `Invalid option: expected one of ${words.map((word) => `"${word}"`).join('|')}`,
    preset,
  )

/** `must`: is told for any fault. */
export const callback = <T>(preset?: T): Option<T> =>
  option((given) => (typeof given === 'function' ? undefined : 'must be a function'), preset as T)

export interface NumberBounds {
  readonly least?: number
  readonly above?: number
  readonly most?: number
  /** Default: only whole numbers. */
  readonly fractions?: boolean
}

export const numberFault = (given: unknown, { least, above, most, fractions = false }: NumberBounds): string | undefined => {
  if (typeof given !== 'number' || Number.isNaN(given)) return expected('number', given)
  if (!Number.isFinite(given)) return 'Invalid input: expected a finite number'
  if (!fractions && !Number.isSafeInteger(given)) return 'Invalid input: expected int, received number'
  if (least !== undefined && given < least) return `Too small: expected number to be >=${least}`
  if (above !== undefined && given <= above) return `Too small: expected number to be >${above}`
  return most !== undefined && given > most ? `Too big: expected number to be <=${most}` : undefined
}

export const number = <Preset extends number | undefined>(bounds: NumberBounds, preset: Preset): Option<number | Preset> =>
  option<number | Preset>((given) => numberFault(given, bounds), preset)

/** By default empty. `fault`: of one item. */
export const list =
  <T>(fault: (given: unknown) => string | undefined): Option<readonly T[]> =>
  (given = [], path, problems) => {
    if (!Array.isArray(given)) {
      refuse(path, problems, expected('array', given))
      return []
    }
    for (const [index, item] of given.entries()) {
      const message = fault(item)
      if (message !== undefined) refuse(`${path}.${index}`, problems, message)
    }
    return given
  }

/** Options under a name. A group that was left out has its defaults; an unknown name in it is refused. */
export const group =
  <Fields extends Readonly<Record<string, Option<unknown>>>>(
    fields: Fields,
  ): Option<{ readonly [Name in keyof Fields]: OptionValue<Fields[Name]> }> =>
  (given = {}, path, problems) => {
    const isGroup = typeof given === 'object' && given !== null && !Array.isArray(given)
    if (!isGroup) refuse(path, problems, expected('object', given))
    const values = (isGroup ? given : {}) as Readonly<Record<string, unknown>>
    const unknown = Object.keys(values).filter((name) => !Object.hasOwn(fields, name))
    const names = unknown.map((name) => `"${name}"`).join(', ')
    if (unknown.length > 0) refuse(path, problems, `Unrecognized key${unknown.length === 1 ? '' : 's'}: ${names}`)
    const read = Object.entries(fields).map(([name, field]) => [
      name,
      field(values[name], path === '' ? name : `${path}.${name}`, problems),
    ])
    return Object.fromEntries(read)
  }
