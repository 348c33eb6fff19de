/**
 * Traces a merged skill to the skills that it is made of, at every trust level (DESIGN 5): each statement is one of theirs, with the same words apart from
 * inflection, the same numbers and negations, governed by the same introduction, and steps keep their order. New headings, a new description and a new name may
 * only name what the skills are about. Deterministic; by structure, not by what the words mean.
 */
import { pause } from '../shared/pause.ts'
import { contentWords } from '../text/content-words.ts'
import { statementsOfMarkdown } from './markdown-statements.ts'
import { isLabel, type MergeSources, readSkillParts, readSources, toWords, wordsOf } from './merge-sources.ts'
import { wordsOfPlace } from './skill-text.ts'
import { keyOf, type Statement, statementsOfCode, type TokenCache, tokensOfSentence } from './statement.ts'
import { findMissingSteps, findReordered, StatementTracer } from './statement-tracer.ts'

export interface MergedText {
  /** The SKILL.md, without what the library itself adds. */
  readonly content: string
  /** New folders of the library, such as a category. */
  readonly places: readonly string[]
  /** Files that the model wrote. */
  readonly files: readonly { readonly path: string; readonly content: string }[]
  /** Files that the merged skill has, which it may point to. */
  readonly paths: readonly string[]
  /** Each source as it is, and with its links as the merged text has them. */
  readonly sources: readonly (readonly string[])[]
}

/** What no source says, or not like this. */
export interface Untraced {
  /** Such as `line 12`. */
  readonly where: string
  readonly text: string
  /** A clause. */
  readonly why: string
}

/** Characters of all texts together. */
const MAX_CHARS = 400_000
const TOO_LONG = 'it is too long to be compared'
const MAX_STATEMENTS = 4_000
/** Once so many are found, no more are looked for. */
const MOST_FOUND = 20

const nameOf = (text: string): string => (text.length > 120 ? `${text.slice(0, 120).replace(/[\ud800-\udbff]$/, '')}…` : text)

class MergeTracer {
  readonly untraced: Untraced[] = []
  readonly #sources: MergeSources
  readonly #cache: TokenCache
  readonly #tracer: StatementTracer
  readonly #paths: readonly string[]
  readonly #pathTokens: ReadonlySet<string>
  readonly #pathWords: ReadonlySet<string>
  /** Words of the merged skill's own name. */
  #named: ReadonlySet<string> = new Set()
  /** Keys of its description, which may be said again. */
  #about: ReadonlySet<string> = new Set()

  constructor(sources: MergeSources, paths: readonly string[], cache: TokenCache) {
    this.#sources = sources
    this.#cache = cache
    this.#tracer = new StatementTracer(sources, cache)
    this.#paths = [...paths].sort((a, b) => b.length - a.length)
    this.#pathTokens = new Set(paths.flatMap((path) => [`=${path}`, `=\`${path}`]))
    this.#pathWords = new Set(paths.flatMap((path) => this.#valuesOf(toWords(path))))
  }

  #valuesOf(text: string): readonly string[] {
    return tokensOfSentence(text, this.#cache).map(({ value }) => value)
  }

  /** The statement of a source that shares most words with the text. */
  #nearest(text: string): string {
    const words = contentWords(text)
    let most = Math.max(1, words.size / 2)
    let nearest: string | undefined
    for (const { statement } of this.#sources.all) {
      const shared = [...wordsOf(statement)].filter((word) => words.has(word)).length
      if (shared < most || (shared === most && nearest !== undefined)) continue
      most = shared
      nearest = statement.text
    }
    return nearest === undefined ? 'no skill says this' : `a skill says “${nameOf(nearest)}”`
  }

  #report(where: string, text: string, why = this.#nearest(text)): void {
    this.untraced.push({ where, text: nameOf(text), why })
  }

  #isPointer({ text, tokens }: Statement): boolean {
    const others = tokens.filter(({ value }) => !this.#pathTokens.has(value))
    if (others.length === tokens.length) return false
    const rest =
      others.length === 0 ? '' : this.#paths.reduce((kept, path) => kept.replaceAll(`\`${path}\``, ' ').replaceAll(path, ' '), text)
    return isLabel(rest, others, this.#sources, 'name', this.#pathWords)
  }

  #isAllowed(statement: Statement): boolean {
    if (statement.key === '' || (!statement.hidden && this.#about.has(statement.key))) return true
    if (statement.hidden) return false
    const { text, tokens } = statement
    const isIntroduction = /[:：]\s*$/.test(text)
    if (statement.kind === 'heading' || isIntroduction)
      return isLabel(text, tokens, this.#sources, statement.kind === 'heading' ? 'heading' : 'description', this.#named)
    return statement.kind === 'prose' && this.#isPointer(statement)
  }

  #checkLabel(where: string, text: string): void {
    const tokens = tokensOfSentence(text, this.#cache)
    if (!isLabel(text, tokens, this.#sources, 'name')) this.#report(where, text)
  }

  #checkFields(fields: ReadonlyMap<string, string>, name: string, description: string): void {
    const plain = (text: string): string => keyOf(tokensOfSentence(text.replace(/["']/g, ' '), this.#cache))
    for (const [key, lines] of fields) {
      if (this.#sources.parts.some((part) => part.fields.get(key) === lines)) continue
      const value = lines.replace(/^[^:]*:\s*(?:[>|][+-]?\d?(?=\n))?/, '')
      const said = key === 'name' ? name : key === 'description' ? description : undefined
      if (said === undefined || plain(value) !== plain(said)) this.#report('the front matter', lines)
    }
  }

  #checkDescription(about: readonly Statement[]): void {
    for (const statement of about) {
      if (statement.key === '' || this.#tracer.parts(statement)) continue
      if (!isLabel(statement.text, statement.tokens, this.#sources, 'description')) this.#report('the description', statement.text)
    }
    this.#about = new Set(about.map(({ key }) => key))
  }

  async readSkill(content: string, places: readonly string[]): Promise<void> {
    const { name, description, fields, statements, about } = readSkillParts(content, this.#cache)
    if (!this.#sources.parts.some((part) => part.name === name)) this.#checkLabel('the name', wordsOfPlace(name))
    this.#named = new Set(this.#valuesOf(toWords(name)))
    for (const place of places) this.#checkLabel('a folder', wordsOfPlace(place))
    this.#checkFields(fields, name, description)
    this.#checkDescription(about)
    await this.#readStatements(statements, (line) => `line ${line}`)
  }

  async readFile({ path, content }: MergedText['files'][number]): Promise<void> {
    this.#checkLabel('a file', wordsOfPlace(path))
    const statements = /\.(?:md|txt)$/i.test(path) ? statementsOfMarkdown(content, this.#cache) : statementsOfCode(content)
    await this.#readStatements(statements, (line) => `line ${line} of ${path}`)
  }

  async #readStatements(statements: readonly Statement[], where: (line: number) => string): Promise<void> {
    if (statements.length > MAX_STATEMENTS) return this.#report(where(1), '', TOO_LONG)
    const before = this.#tracer.taken.length
    for (const { line, text } of await this.#tracer.trace(statements, (each) => this.#isAllowed(each), MOST_FOUND))
      this.#report(where(line), text)
    for (const { statement, before: earlier } of await findReordered(this.#tracer.taken.slice(before), MOST_FOUND))
      this.#report(where(statement.line), statement.text, `its skill has it before “${nameOf(earlier.text)}”`)
  }

  finish(): readonly Untraced[] {
    for (const { text } of findMissingSteps(this.#tracer.taken, this.#sources))
      this.#report('a step', text, 'it is not there behind the step before it')
    return this.untraced
  }
}

/** What a person must look at; empty if all of it comes from the sources. */
export const traceMerge = async ({ content, places, files, paths, sources }: MergedText): Promise<readonly Untraced[]> => {
  const chars = [content, ...files.map((file) => file.content), ...sources.flat()].reduce((sum, text) => sum + text.length, 0)
  if (chars > MAX_CHARS) return [{ where: 'the whole text', text: '', why: TOO_LONG }]
  const cache: TokenCache = new Map()
  const tracer = new MergeTracer(await readSources(sources, cache), paths, cache)
  await tracer.readSkill(content, places)
  for (const file of files) {
    await pause()
    await tracer.readFile(file)
  }
  return tracer.finish()
}

const MOST_NAMED = 5

/** As a reason for waiting. */
export const describeUntraced = (untraced: readonly Untraced[]): string => {
  const named = untraced.slice(0, MOST_NAMED).map(({ where, text, why }) => `${where} “${text}” (${why})`)
  const more = untraced.length > MOST_NAMED ? `; and ${untraced.length - MOST_NAMED} more` : ''
  return `Its skills do not say it like this: ${named.join('; ')}${more}. It waits for your approval.`
}
