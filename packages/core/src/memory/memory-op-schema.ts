/** Checks memory operations that come from outside the program. */
import * as z from 'zod/mini'
import { isDay } from './entry-time.ts'
import { MAX_OP_CHARS, MEMORY_TARGETS } from './memory-op.ts'

export const memoryTargetSchema = /* @__PURE__ */ z.enum(MEMORY_TARGETS)

const days = <Day extends z.ZodMiniType<string>>(day: Day) => ({ from: z.optional(day), until: z.optional(day) })

/** For operations from outside; blank texts are refused by the store, with a better message. */
export const memoryOpSchema = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('add'), content: z.string(), ...days(z.string()) }),
    z.object({ action: z.literal('replace'), oldText: z.string(), content: z.string(), ...days(z.string()) }),
    z.object({ action: z.literal('remove'), oldText: z.string() }),
  ]),
)

const boundedText = /* @__PURE__ */ z.lazy(() =>
  z.string().check(
    z.maxLength(MAX_OP_CHARS, {
      error: () => `longer than ${MAX_OP_CHARS.toLocaleString('en')} characters, and an entry is a sentence or two`,
    }),
  ),
)

const realDay = /* @__PURE__ */ z.lazy(() => z.string().check(z.refine(isDay, { error: 'no day of the calendar, written as YYYY-MM-DD' })))

/** `memoryOpSchema` for a model's proposals. */
export const proposedOpSchema = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('add'), content: boundedText, ...days(realDay) }),
    z.object({ action: z.literal('replace'), oldText: boundedText, content: boundedText, ...days(realDay) }),
    z.object({ action: z.literal('remove'), oldText: boundedText }),
  ]),
)
