/**
 * Carries out the commands of Claude's memory tool on the stores and skills. A store is a list of facts, a skill a folder; every write goes through the gate. Answers are those
 * that the tool is documented with, and where Hermes decides otherwise, a sentence that says what to do. Loaded with the first call.
 */

import { timeOf } from '../../memory/entry-time.ts'
import { sanitiseEntries } from '../../memory/memory-block.ts'
import type { EntryFacts, MemoryOp, MemoryTarget } from '../../memory/memory-op.ts'
import { checkShape } from '../../shared/check-shape.ts'
import { isOwnOrigin } from '../../shared/origin.ts'
import { ok, type Result } from '../../shared/result.ts'
import { describeMemoryReply, type MemoryWriteReply } from '../memory-reply.ts'
import type { SkillToolEffects } from '../skill-tool-effects.ts'
import type { ToolContext } from '../tool-definition.ts'
import { describeMisfit, toRefusal } from '../tool-definition.ts'
import { countLines, type Edited, fileSize, insertLines, numberedLines, replacePiece, snippetAround } from './edit-text.ts'
import { alreadyThere, type FileAnswer, listingOf, refuse } from './file-answer.ts'
import { type FileCommand, fileCommandSchema } from './file-command.ts'
import { type FilePlace, fileOf, placeOf, ROOT, SKILLS_FOLDER } from './file-place.ts'
import { changesBetween, readListFile, toListFile } from './list-file.ts'
import { SkillFiles } from './skill-files.ts'

/** The stores of a session. */
export interface StoreFiles {
  /** The stores that are switched on. */
  readonly targets: () => Promise<readonly MemoryTarget[]>
  /** In file order. */
  readonly read: (target: MemoryTarget) => Promise<Result<readonly EntryFacts[]>>
  readonly write: (target: MemoryTarget, ops: readonly MemoryOp[], context?: ToolContext) => Promise<MemoryWriteReply>
}

const missing = (path: string): FileAnswer => refuse(`The path ${path} does not exist. Please provide a valid path.`)

const NO_PLACE =
  'Nothing is kept there. A fact is a line in /memories/MEMORY.md (your notes) or /memories/USER.md (who the user is): use insert or str_replace. A procedure is a file /memories/skills/<name>/SKILL.md.'

const OUTSIDE = `Only paths below ${ROOT} can be used.`

const FIXED = 'The files of memory keep their names and places.'

type Of<Command extends FileCommand['command']> = Extract<FileCommand, { command: Command }>

export class MemoryFiles {
  readonly #stores: StoreFiles
  readonly #skills: SkillFiles | undefined

  /** `skills`: undefined if they are switched off. */
  constructor(stores: StoreFiles, skills: SkillToolEffects | undefined) {
    this.#stores = stores
    this.#skills = skills && new SkillFiles(skills)
  }

  /** `input`: unchecked. Never throws. */
  async run(input: unknown, context: ToolContext = {}): Promise<FileAnswer> {
    const checked = checkShape(fileCommandSchema, input)
    if (!checked.success) return refuse(describeMisfit(checked.error))
    try {
      return await this.#run(checked.data, context)
    } catch (error) {
      return refuse(toRefusal(error).message)
    }
  }

  async #run(command: FileCommand, context: ToolContext): Promise<FileAnswer> {
    const targets = await this.#stores.targets()
    if (command.command === 'rename') return this.#rename(placeOf(command.old_path, targets), placeOf(command.new_path, targets), command)
    const place = placeOf(command.path, targets)
    if (place.kind === 'outside') return refuse(OUTSIDE)
    switch (command.command) {
      case 'view':
        return this.#view(place, command, targets, context)
      case 'create':
        return this.#create(place, command, context)
      case 'str_replace':
      case 'insert':
        return this.#edit(place, command, context)
      case 'delete':
        return this.#delete(place, command, context)
    }
  }

  #rename(from: FilePlace, to: FilePlace, { old_path: path }: Of<'rename'>): FileAnswer {
    if (from.kind === 'outside' || to.kind === 'outside') return refuse(OUTSIDE)
    if (from.kind === 'nowhere') return missing(path)
    const skill = ' To rename a skill, create it anew under the other name, then delete the old one.'
    return refuse(`${path} cannot be renamed. ${FIXED}${from.kind.startsWith('skill') ? skill : ''}`)
  }

  async #view(place: FilePlace, command: Of<'view'>, targets: readonly MemoryTarget[], context: ToolContext): Promise<FileAnswer> {
    const { path } = command
    if (place.kind === 'root') return this.#viewRoot(targets, context)
    if (place.kind === 'store') return this.#show(path, await this.#textOf(place.target, context), command)
    if (!this.#skills || place.kind === 'nowhere' || place.kind === 'outside') return missing(path)
    if (place.kind === 'skills') {
      const rows = await this.#skills.rows()
      return rows.ok ? ok(listingOf(path, rows.value)) : rows
    }
    if (place.kind === 'skill') return this.#skills.listFiles(place.name, path, context)
    return this.#show(path, await this.#skills.read(place, path, context, true), command)
  }

  #show(path: string, text: Result<string>, { view_range: range }: Of<'view'>): FileAnswer {
    if (!text.ok) return text
    const lines = countLines(text.value)
    const [from, to] = range ?? [1, -1]
    if (range && (from < 1 || from > Math.max(1, lines) || (to !== -1 && to < from)))
      return refuse(`Invalid view_range: [${from}, ${to}]. The file has ${lines} lines; the end may be -1.`)
    const shown = numberedLines(text.value, from, to === -1 ? undefined : to)
    return ok(`Here's the content of ${path} with line numbers:\n${shown}`)
  }

  async #viewRoot(targets: readonly MemoryTarget[], context: ToolContext): Promise<FileAnswer> {
    const files: string[] = []
    for (const target of targets) {
      const text = await this.#textOf(target, context)
      files.push(`${text.ok ? fileSize(text.value) : '0B'}\t${fileOf(target)}`)
    }
    const skills = await this.#skills?.rows()
    if (skills?.ok === false) return skills
    const folder = skills && skills.value.length > 0 ? [`4.0K\t${SKILLS_FOLDER}`, ...skills.value] : []
    return ok(listingOf(ROOT, [...files, ...folder]))
  }

  /** The store as a file. Entries from outside that it shows are in sight from then on. */
  async #textOf(target: MemoryTarget, context: ToolContext): Promise<Result<string>> {
    const read = await this.#stores.read(target)
    if (!read.ok) return read
    const textsOf = (isOwn: boolean) =>
      sanitiseEntries(
        target,
        read.value.filter(({ origin }) => isOwnOrigin(origin) === isOwn).map(({ entry }) => entry),
      )
    const outside = textsOf(false)
    if (outside.length > 0) context.onOutside?.()
    return ok(toListFile(textsOf(true), outside))
  }

  async #create(place: FilePlace, { path, file_text: text }: Of<'create'>, context: ToolContext): Promise<FileAnswer> {
    if (place.kind === 'skill-file' && this.#skills) return this.#skills.create(place, path, text, context)
    if (place.kind !== 'store') return refuse(NO_PLACE)
    const before = await this.#textOf(place.target, context)
    if (!before.ok) return before
    if (before.value !== '') return alreadyThere(path)
    return this.#write(place.target, ['', text], `File created successfully at: ${path}`, context)
  }

  async #edit(place: FilePlace, command: Of<'str_replace'> | Of<'insert'>, context: ToolContext): Promise<FileAnswer> {
    const { path } = command
    if (place.kind === 'nowhere') return refuse(NO_PLACE)
    if (place.kind !== 'store' && place.kind !== 'skill-file') return refuse(`The path ${path} is not a file.`)
    const before =
      place.kind === 'store' ? await this.#textOf(place.target, context) : await this.#skills?.read(place, path, context, false)
    if (!before?.ok) return before ?? missing(path)
    const edited = editText(before.value, command)
    if (!edited.ok) return edited
    const { text, first, last } = edited.value
    const isInsert = command.command === 'insert'
    const said = isInsert ? `The file ${path} has been edited.` : 'The memory file has been edited.'
    if (place.kind === 'store') {
      const written = await this.#write(place.target, [before.value, text], said, context)
      return written.ok && !isInsert ? this.#withLines(said, place.target, context) : written
    }
    const written = await this.#skills?.replace(place, before.value, text, context)
    if (!written?.ok) return written ?? missing(path)
    return ok(isInsert ? said : `${said}\n${snippetAround(text, first, last)}`)
  }

  /** The store as it is now. */
  async #withLines(said: string, target: MemoryTarget, context: ToolContext): Promise<FileAnswer> {
    const now = await this.#textOf(target, context)
    return ok(now.ok ? `${said}\n${numberedLines(now.value)}` : said)
  }

  async #delete(place: FilePlace, { path }: Of<'delete'>, context: ToolContext): Promise<FileAnswer> {
    if (place.kind === 'store') return refuse(`${path} cannot be deleted. ${FIXED} Remove lines from it with str_replace.`)
    if (place.kind === 'root' || place.kind === 'skills') return refuse(`${path} cannot be deleted. ${FIXED}`)
    if (!this.#skills || (place.kind !== 'skill' && place.kind !== 'skill-file')) return missing(path)
    return this.#skills.remove(place, path, context)
  }

  async #write(target: MemoryTarget, [before, after]: readonly [string, string], said: string, context: ToolContext): Promise<FileAnswer> {
    const ops = changesBetween(readListFile(before), readListFile(after))
    if (ops.length === 0) return refuse('Nothing was changed: a file of memory is a list of facts, without headings and blank lines.')
    const read = await this.#stores.read(target)
    if (!read.ok) return read
    const facts = new Map(read.value.map((each) => [each.entry, each]))
    // A file shows no days, so a line that is reworded keeps those of its entry.
    const dated = ops.map((op) => (op.action === 'replace' ? { ...op, ...timeOf(facts.get(op.oldText)) } : op))
    const reply = describeMemoryReply(target, await this.#stores.write(target, dated, context))
    return reply.success ? ok(said) : refuse(reply.error)
  }
}

const editText = (text: string, command: Of<'str_replace'> | Of<'insert'>): Result<Edited> => {
  const { path } = command
  if (command.command === 'insert') {
    const edited = insertLines(text, command.insert_line, command.insert_text)
    if (edited) return ok(edited)
    const range = `[0, ${countLines(text)}]`
    const message = `Invalid \`insert_line\` parameter: ${command.insert_line}. It should be within the range of lines of the file: ${range}`
    return refuse(message)
  }
  const { old_str: piece } = command
  const edited = replacePiece(text, piece, command.new_str ?? '')
  if ('text' in edited) return ok(edited)
  const message =
    edited.lines.length === 0
      ? `No replacement was performed, old_str \`${piece}\` did not appear verbatim in ${path}.`
      : `No replacement was performed. Multiple occurrences of old_str \`${piece}\` in lines: ${edited.lines.join(', ')}. Please ensure it is unique`
  return refuse(message)
}
