/** The skill operation and its outcome: what the agent's tool, a reviewer or the host may do to a skill (reference skills-curator 6). */
import * as z from 'zod'
import { MAX_SKILL_CHARS } from './skill-document.ts'

export const SKILL_ACTIONS = ['create', 'edit', 'patch', 'write_file', 'remove_file', 'archive'] as const

export type SkillAction = (typeof SKILL_ACTIONS)[number]

/** `name`: whatever `SkillStore` finds a skill by. There is no action that deletes: what goes, goes to the archive. */
export type SkillOp =
  | { readonly action: 'create'; readonly name: string; readonly category?: string | undefined; readonly content: string }
  | { readonly action: 'edit'; readonly name: string; readonly content: string }
  | {
      readonly action: 'patch'
      readonly name: string
      readonly oldText: string
      readonly newText: string
      /** A support file. Default: the SKILL.md. */
      readonly filePath?: string | undefined
      readonly replaceAll?: boolean | undefined
    }
  | { readonly action: 'write_file'; readonly name: string; readonly filePath: string; readonly content: string }
  | { readonly action: 'remove_file'; readonly name: string; readonly filePath: string }
  /** `absorbedInto`: the skill that holds its content from now on. */
  | { readonly action: 'archive'; readonly name: string; readonly absorbedInto?: string | undefined }

/** What a model leaves out and what it sends as null are the same. */
const left = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined)

const name = /* @__PURE__ */ z.lazy(() => z.string().min(1).max(1_024))
const filePath = /* @__PURE__ */ z.lazy(() => z.string().min(1).max(1_024))
// UTF-16 units, so that even a file of astral characters fits; the store counts code points.
const text = /* @__PURE__ */ z.lazy(() => z.string().max(2 * MAX_SKILL_CHARS))

/** For operations that cross a trust boundary. What is blank or misnamed is the store's to refuse, with a better message. */
export const skillOpSchema = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('create'), name, category: left(z.string().max(1_024)), content: text }),
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

export interface SkillOpOutcome {
  readonly target: 'skill'
  readonly action: SkillAction
  /** The front matter's name, which is the key of its usage record. */
  readonly name: string
  /** Below the folder of skills, such as `devops/deploy`; for an archived skill where it was. */
  readonly path: string
  /** Inside the skill's folder. */
  readonly filePath: string
  readonly message: string
  /** What the file held before, where it was text. */
  readonly previous?: string | undefined
}
