/**
 * The parameters of the agent's tools: what is accepted, and the shorter JSON schema that a model is shown. Null and absent are the same,
 * which a model need not know. What is wrong is described in English, also to a host that checks the input itself.
 */
import * as z from 'zod/mini'
import { inEnglish } from '../shared/check-shape.ts'

const english = { error: inEnglish }

type JsonSchema = Readonly<Record<string, unknown>>

export interface Parameter<T extends z.ZodMiniType = z.ZodMiniType> {
  readonly accepted: T
  /** `undefined`: the model is not told of it. */
  readonly shown: JsonSchema | undefined
}

const parameter = <T extends z.ZodMiniType>(accepted: T, shown: JsonSchema, description: string | undefined): Parameter<T> => ({
  accepted,
  shown: description === undefined ? shown : { ...shown, description },
})

export const textParameter = (description?: string) => parameter(z.nullish(z.string(english)), { type: 'string' }, description)

export const switchParameter = (description?: string) => parameter(z.nullish(z.boolean(english)), { type: 'boolean' }, description)

export const choiceParameter = <const Word extends string>(words: readonly [Word, ...Word[]], description?: string) =>
  parameter(z.nullish(z.enum(words, english)), { type: 'string', enum: [...words] }, description)

export const listParameter = <T extends z.ZodMiniType>({ accepted, shown }: Parameter<T>, description?: string) =>
  parameter(z.nullish(z.array(accepted, english)), { type: 'array', items: shown }, description)

/** Accepted from models that know it from elsewhere. */
export const unmentioned = <T extends z.ZodMiniType>({ accepted }: Parameter<T>): Parameter<T> => ({ accepted, shown: undefined })

type Accepted<Shape extends Readonly<Record<string, Parameter>>> = { readonly [Name in keyof Shape]: Shape[Name]['accepted'] }

/** An object of these parameters. */
export const parameters = <const Shape extends Readonly<Record<string, Parameter>>>(shape: Shape) => {
  const all = Object.entries(shape)
  const accepted = Object.fromEntries(all.map(([name, each]) => [name, each.accepted])) as Accepted<Shape>
  const properties = Object.fromEntries(all.flatMap(([name, { shown }]) => (shown === undefined ? [] : [[name, shown]])))
  return { accepted: z.object(accepted, english), shown: { type: 'object', properties } }
}
