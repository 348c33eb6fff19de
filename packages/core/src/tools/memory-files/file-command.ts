/** The commands of Claude's memory tool (`memory_20250818`), as its model sends them. */
import * as z from 'zod/mini'
import { MAX_SKILL_CHARS } from '../../skills/skill-document.ts'

const path = /* @__PURE__ */ z.lazy(() => z.string().check(z.minLength(1), z.maxLength(1_024)))
const text = /* @__PURE__ */ z.lazy(() => z.string().check(z.maxLength(2 * MAX_SKILL_CHARS)))

export const fileCommandSchema = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('command', [
    z.object({ command: z.literal('view'), path, view_range: z.nullish(z.tuple([z.int(), z.int()])) }),
    z.object({ command: z.literal('create'), path, file_text: text }),
    z.object({ command: z.literal('str_replace'), path, old_str: text, new_str: z.nullish(text) }),
    z.object({ command: z.literal('insert'), path, insert_line: z.int(), insert_text: text }),
    z.object({ command: z.literal('delete'), path }),
    z.object({ command: z.literal('rename'), old_path: path, new_path: path }),
  ]),
)

export type FileCommand = z.infer<typeof fileCommandSchema>
