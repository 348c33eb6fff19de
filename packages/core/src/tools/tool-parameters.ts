/**
 * The parameters of the agent's tools: what is accepted, and the shorter JSON schema that a model is shown. Null and absent are the same,
 * which a model need not know. What is wrong is described in English, also to a host that checks the input itself.
 */
import * as z from 'zod/mini'
import { inEnglish } from '../shared/check-shape.ts'

const english = { error: inEnglish }

type JsonSchema = Readonly<Record<string, unknown>>

/** A model's input: every parameter may be left out or null. */
export type ToolInput<Values> = { readonly [Name in keyof Values]?: Values[Name] | null | undefined }

export interface Parameter<Value = unknown> {
  readonly accepted: z.ZodMiniType<Value>
  /** `undefined`: the model is not told of it. */
  readonly shown: JsonSchema | undefined
}

const parameter = <Value>(
  accepted: z.ZodMiniType<Value>,
  shown: JsonSchema,
  description: string | undefined,
): Parameter<Value | null | undefined> => ({
  accepted: z.nullish(accepted),
  shown: description === undefined ? shown : { ...shown, description },
})

export const textParameter = (description?: string) => parameter(z.string(english), { type: 'string' }, description)

export const switchParameter = (description?: string) => parameter(z.boolean(english), { type: 'boolean' }, description)

export const choiceParameter = <const Word extends string>(words: readonly [Word, ...Word[]], description?: string) =>
  parameter<Word>(z.enum(words, english), { type: 'string', enum: [...words] }, description)

export const listParameter = <Value>({ accepted, shown }: Parameter<Value>, description?: string) =>
  parameter(z.array(accepted, english), { type: 'array', items: shown }, description)

/** Accepted from models that know it from elsewhere. */
export const unmentioned = <Value>({ accepted }: Parameter<Value>): Parameter<Value> => ({ accepted, shown: undefined })

/** An object of these parameters. */
export const parameters = <Values extends object>(
  shape: {
    readonly [Name in keyof Values]: Parameter<Values[Name] | null | undefined>
  },
): { readonly accepted: z.ZodMiniType<ToolInput<Values>>; readonly shown: JsonSchema } => {
  const all: readonly (readonly [string, Parameter])[] = Object.entries(shape)
  const accepted = z.object(Object.fromEntries(all.map(([name, each]) => [name, each.accepted])), english)
  const properties = Object.fromEntries(all.flatMap(([name, { shown }]) => (shown === undefined ? [] : [[name, shown]])))
  // The names are known to the compiler only as those of `Values`.
  return { accepted: accepted as z.ZodMiniType<ToolInput<Values>>, shown: { type: 'object', properties } }
}
