/** Checks skill operations that come from outside the program. */
import * as z from 'zod/mini'
import { MAX_SKILL_CHARS } from './skill-document.ts'

/** Models may leave a field out or send null; both mean undefined. */
const left = <T extends z.ZodMiniType>(schema: T) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? undefined),
  )

const name = /* @__PURE__ */ z.lazy(() => z.string().check(z.minLength(1), z.maxLength(1_024)))
const filePath = /* @__PURE__ */ z.lazy(() => z.string().check(z.minLength(1), z.maxLength(1_024)))
// UTF-16 units, so that a file of astral characters fits; the store counts code points.
const text = /* @__PURE__ */ z.lazy(() => z.string().check(z.maxLength(2 * MAX_SKILL_CHARS)))

/** For operations from outside. Blank or invalid names are refused by the store, with a better message. */
export const skillOpSchema = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('create'), name, category: left(z.string().check(z.maxLength(1_024))), content: text }),
    z.object({ action: z.literal('edit'), name, content: text }),
    z.object({
      action: z.literal('patch'),
      name,
      oldText: text,
      newText: text,
      filePath: left(filePath),
      replaceAll: left(z.boolean()),
    }),
    z.object({ action: z.literal('write_file'), name, filePath, content: text }),
    z.object({ action: z.literal('remove_file'), name, filePath }),
    z.object({ action: z.literal('archive'), name, absorbedInto: left(name) }),
  ]),
)
