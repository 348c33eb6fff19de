/** The skill operation and its outcome, for the agent's tool, a reviewer or the host (reference skills-curator 6). */
import * as z from 'zod/mini'
import type { ArchivedSkill, RestoredSkill } from './archive.ts'
import { MAX_SKILL_CHARS } from './skill-document.ts'

export const SKILL_ACTIONS = ['create', 'edit', 'patch', 'write_file', 'remove_file', 'archive'] as const

export type SkillAction = (typeof SKILL_ACTIONS)[number]

/** `name`: any target that `SkillStore` accepts. No action deletes: skills are archived. */
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
  /** `absorbedInto`: the skill that holds the content from now on. */
  | { readonly action: 'archive'; readonly name: string; readonly absorbedInto?: string | undefined }

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

export interface SkillOpOutcome {
  readonly target: 'skill'
  readonly action: SkillAction
  /** The front matter's name, which is the key of its usage record. */
  readonly name: string
  /** Relative to the skills folder, such as `devops/deploy`; for an archived skill its former path. */
  readonly path: string
  /** Path inside the skill's folder. */
  readonly filePath: string
  readonly message: string
  /** The file's former content, if it was text. */
  readonly previous?: string | undefined
}

/** A change that a `SkillStore` writes, for the log of its writer. */
export type SkillWrite =
  /** `before`: the former bytes of the file; undefined if there was none. */
  | { readonly kind: 'changed'; readonly op: SkillOp; readonly before: Uint8Array | undefined }
  | { readonly kind: 'archived'; readonly archived: ArchivedSkill }
  | { readonly kind: 'restored'; readonly restored: RestoredSkill }

/** Lines about what is written, made before it is done, perhaps more than once; pure. */
export interface SkillLog {
  /** Of the document that they are appended to. */
  readonly path: string
  written(writes: readonly SkillWrite[]): Uint8Array
}
