/** The skills as folders of files, for Claude's memory tool. */
import { ok, type Result } from '../../shared/result.ts'
import type { SkillOp } from '../../skills/skill-op.ts'
import { SKILL_FILE } from '../../storage/storage-paths.ts'
import { cutText, describeSkillRefusal, SKILL_READ_FAILURES } from '../describe-failure.ts'
import { describeSkillList } from '../skill-list-reply.ts'
import { describeSkillReply } from '../skill-manage-reply.ts'
import type { SkillToolEffects } from '../skill-tool-effects.ts'
import { describeSkillView } from '../skill-view-reply.ts'
import type { ToolContext } from '../tool-definition.ts'
import { fileSize } from './edit-text.ts'
import { alreadyThere, type FileAnswer, listingOf, refuse } from './file-answer.ts'
import { type FilePlace, skillFolder } from './file-place.ts'

type FileOfSkill = Extract<FilePlace, { kind: 'skill-file' }>

export class SkillFiles {
  readonly #effects: SkillToolEffects

  constructor(effects: SkillToolEffects) {
    this.#effects = effects
  }

  /** A line for each skill that there is room for. */
  async rows(): Promise<Result<readonly string[]>> {
    const listed = await this.#effects.list()
    if (!listed.ok) return refuse(describeSkillRefusal(SKILL_READ_FAILURES, listed.error).error)
    const { skills, count } = describeSkillList(listed.value, '')
    const more = count > skills.length ? [`[and ${count - skills.length} more skills: view them by name]`] : []
    return ok([...skills.map(({ name }) => `4.0K\t${skillFolder(name)}`), ...more])
  }

  async listFiles(name: string, path: string, context: ToolContext): Promise<FileAnswer> {
    const viewed = await this.#effects.view(name)
    if (!viewed.ok) return refuse(describeSkillRefusal(SKILL_READ_FAILURES, viewed.error).error)
    const { result } = describeSkillView(viewed.value, name)
    if (!result.success) return refuse(result.error)
    // Names of files are its author's words.
    if (!(await this.#effects.isOwn(viewed.value))) context.onOutside?.()
    const folder = skillFolder(name)
    const files = Object.values(result.linked_files ?? {}).flat()
    const rows = [`${fileSize(result.content ?? '')}\t${folder}/${SKILL_FILE}`, ...files.map((file) => `4.0K\t${folder}/${file}`)]
    return ok(listingOf(path, rows))
  }

  /** The text of a file, whole. `isShown`: it counts as a use of the skill. */
  async read({ name, filePath }: FileOfSkill, path: string, context: ToolContext, isShown: boolean): Promise<Result<string>> {
    const viewed = await this.#effects.view(name, filePath === SKILL_FILE ? undefined : filePath)
    if (!viewed.ok) return refuse(describeSkillRefusal(SKILL_READ_FAILURES, viewed.error).error)
    const { result } = describeSkillView(viewed.value, name)
    if (!result.success) return refuse(result.error)
    const { content } = viewed.value
    if (content === undefined) return refuse(`${path} is not text, so it is not shown.`)
    if (isShown) this.#effects.noteShown(viewed.value)
    if (!(await this.#effects.isOwn(viewed.value))) context.onOutside?.()
    return ok(content)
  }

  async create({ name, filePath }: FileOfSkill, path: string, content: string, context: ToolContext): Promise<FileAnswer> {
    const isSkill = filePath === SKILL_FILE
    const there = await this.#effects.view(name, isSkill ? undefined : filePath)
    if (there.ok) return alreadyThere(path)
    const op: SkillOp = isSkill
      ? { action: 'create', name, category: undefined, content }
      : { action: 'write_file', name, filePath, content }
    return this.#manage(op, `File created successfully at: ${path}`, context)
  }

  /** A change between the reading and the writing is refused: `before` stands there no more. */
  replace({ name, filePath }: FileOfSkill, before: string, after: string, context: ToolContext): Promise<FileAnswer> {
    const file = filePath === SKILL_FILE ? undefined : filePath
    return this.#manage({ action: 'patch', name, oldText: before, newText: after, filePath: file, replaceAll: undefined }, '', context)
  }

  remove(place: Extract<FilePlace, { kind: 'skill' | 'skill-file' }>, path: string, context: ToolContext): Promise<FileAnswer> {
    const { name } = place
    const isWhole = place.kind === 'skill' || place.filePath === SKILL_FILE
    const op: SkillOp = isWhole
      ? { action: 'archive', name, absorbedInto: undefined }
      : { action: 'remove_file', name, filePath: place.filePath }
    return this.#manage(op, `Successfully deleted ${path}${isWhole ? ' (the skill is archived; a person can restore it)' : ''}`, context)
  }

  async #manage(op: SkillOp, done: string, context: ToolContext): Promise<FileAnswer> {
    const reply = await this.#effects.manage(op, { createAnyway: false }, context)
    if (reply.kind === 'similar') {
      const names = reply.skills.map(({ name }) => skillFolder(cutText(name, 80))).join(', ')
      return refuse(
        `Nothing was saved: there are skills much like it (${names}). View the nearest, and extend it with insert or str_replace.`,
      )
    }
    const described = describeSkillReply(reply)
    return described.success ? ok(done) : refuse(described.error)
  }
}
