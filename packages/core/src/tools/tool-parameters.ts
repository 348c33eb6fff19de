/**
 * The parameters of the agent's tools: what is accepted, and the shorter JSON schema that a model is shown. Null and absent are the same,
 * which a model need not know. What is wrong is described in English, also to a host that checks the input itself. Without a schema
 * library, since hosts offer the tools before the first prompt.
 */

type JsonSchema = Readonly<Record<string, unknown>>
type Path = readonly (string | number)[]

/** What does not fit, and where. */
export class Misfit extends Error {
  readonly issues: readonly { readonly path: Path; readonly message: string }[]

  constructor(message: string, path: Path) {
    super(message)
    this.issues = [{ path, message }]
  }
}

/** Checks a model's input. */
export interface InputSchema<Input> {
  /** Contract: never throws. */
  readonly safeParse: (
    value: unknown,
  ) => { readonly success: true; readonly data: Input } | { readonly success: false; readonly error: Misfit }
}

/** A model's input: every parameter may be left out or null. */
export type ToolInput<Values> = { readonly [Name in keyof Values]?: Values[Name] | null | undefined }

export interface Parameter<Value = unknown> {
  /** Throws a misfit. */
  readonly read: (value: unknown, path: Path) => Value | null | undefined
  /** `undefined`: the model is not told of it. */
  readonly shown: JsonSchema | undefined
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const expected = (what: string, value: unknown, path: Path): Misfit =>
  new Misfit(`Invalid input: expected ${what}, received ${kindOf(value)}`, path)

const parameter = <Value>(
  read: (value: unknown, path: Path) => Value,
  shown: JsonSchema,
  description: string | undefined,
): Parameter<Value> => ({
  read: (value, path) => (value === null || value === undefined ? value : read(value, path)),
  shown: description === undefined ? shown : { ...shown, description },
})

export const textParameter = (description?: string) =>
  parameter(
    (value, path): string => {
      if (typeof value !== 'string') throw expected('string', value, path)
      return value
    },
    { type: 'string' },
    description,
  )

export const switchParameter = (description?: string) =>
  parameter(
    (value, path): boolean => {
      if (typeof value !== 'boolean') throw expected('boolean', value, path)
      return value
    },
    { type: 'boolean' },
    description,
  )

export const choiceParameter = <const Word extends string>(words: readonly [Word, ...Word[]], description?: string) =>
  parameter(
    (value, path): Word => {
      const word = words.find((each) => each === value)
      if (word !== undefined) return word
      throw new Misfit(`Invalid option: expected one of ${words.map((each) => `"${each}"`).join('|')}`, path)
    },
    { type: 'string', enum: [...words] },
    description,
  )

export const listParameter = <Value>({ accepted, shown }: ParameterGroup<Value>, description?: string) =>
  parameter(
    (value, path): readonly Value[] => {
      if (!Array.isArray(value)) throw expected('array', value, path)
      return value.map((each, index) => accepted.read(each, [...path, index]))
    },
    { type: 'array', items: shown },
    description,
  )

/** Accepted from models that know it from elsewhere. */
export const unmentioned = <Value>({ read }: Parameter<Value>): Parameter<Value> => ({ read, shown: undefined })

/** `read` throws a misfit. */
export const inputSchema = <Input>(read: (value: unknown, path: Path) => Input): AcceptedInput<Input> => ({
  read,
  safeParse: (value) => {
    try {
      return { success: true, data: read(value, []) }
    } catch (error) {
      if (error instanceof Misfit) return { success: false, error }
      throw error
    }
  },
})

interface AcceptedInput<Input> extends InputSchema<Input> {
  readonly read: (value: unknown, path: Path) => Input
}

interface ParameterGroup<Input> {
  readonly accepted: AcceptedInput<Input>
  readonly shown: JsonSchema
}

/** Throws a misfit for anything but an object. */
export const readObject = (value: unknown, path: Path): Readonly<Record<string, unknown>> => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>
  throw expected('object', value, path)
}

/** An object of these parameters. Others are left out. */
export const parameters = <Values extends object>(
  shape: {
    readonly [Name in keyof Values]: Parameter<Values[Name]>
  },
): ParameterGroup<ToolInput<Values>> => {
  const all: readonly (readonly [string, Parameter])[] = Object.entries(shape)
  const read = (value: unknown, path: Path) => {
    const given = readObject(value, path)
    const known = all.filter(([name]) => Object.hasOwn(given, name))
    return Object.fromEntries(known.map(([name, each]) => [name, each.read(given[name], [...path, name])]))
  }
  const properties = Object.fromEntries(all.flatMap(([name, { shown }]) => (shown === undefined ? [] : [[name, shown]])))
  // The names are known to the compiler only as those of `Values`.
  return { accepted: inputSchema(read as (value: unknown, path: Path) => ToolInput<Values>), shown: { type: 'object', properties } }
}
