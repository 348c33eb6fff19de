/** Checks a value against a schema, and describes what is wrong in English, whatever language the host has set for zod. */
import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { readOnce } from './read-once.ts'

const english = /* @__PURE__ */ readOnce(() => en().localeError)

/** Without it each message is "Invalid input". */
const inEnglish: z.core.$ZodErrorMap = (issue) => english.read()(issue)

/**
 * A schema for each field of a type, for `z.object({ … } satisfies ShapeOf<Type>)`: the compiler then finds a field that the schema lacks,
 * also an optional one. The type itself is written out, so that no declaration of the package needs zod.
 */
export type ShapeOf<Type> = { readonly [Field in keyof Type]-?: z.ZodMiniType<Type[Field]> }

/** As `safeParse`, with English messages. */
export const checkShape = <T>(
  schema: z.core.$ZodType<T>,
  value: unknown,
  options?: { readonly jitless?: boolean },
): z.core.util.SafeParseResult<T> => z.safeParse(schema, value, { ...options, error: inEnglish })
