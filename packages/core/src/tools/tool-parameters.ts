/** The parameters of the agent's tools. Null and absent are the same. What is wrong is described in English, also to a host that checks the input itself. */
import * as z from 'zod/mini'
import { inEnglish } from '../shared/check-shape.ts'

const english = { error: inEnglish }

const described = <T extends z.ZodMiniType>(schema: T, description: string | undefined): T =>
  description === undefined ? schema : schema.check(z.describe(description))

export const textParameter = (description?: string) => described(z.nullish(z.string(english)), description)

export const switchParameter = (description?: string) => described(z.nullish(z.boolean(english)), description)

export const choiceParameter = <const Word extends string>(words: readonly [Word, ...Word[]], description?: string) =>
  described(z.nullish(z.enum(words, english)), description)

export const listParameter = <T extends z.ZodMiniType>(item: T, description?: string) =>
  described(z.nullish(z.array(item, english)), description)

export const parameters = <const Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.object(shape, english)
