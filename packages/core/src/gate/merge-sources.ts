/** The statements of the skills that are merged, found by what they say, and the words that name what these skills are about. Pure. */
import { pause } from '../shared/pause.ts'
import { splitSkillText } from '../skills/front-matter.ts'
import { parseSkillDocument } from '../skills/parse-skill-document.ts'
import { contentWords } from '../text/content-words.ts'
import { statementsOfMarkdown } from './markdown-statements.ts'
import { keysOf, type Statement } from './statement.ts'
import { type TokenCache, tokensOfSentence } from './statement-tokens.ts'

/** A name or a path as words. */
export const toWords = (name: string): string => name.replace(/[-_./]+/g, ' ').trim()

/** A SKILL.md in parts. */
export interface SkillParts {
  readonly name: string
  readonly description: string
  /** Each key of the front matter with its lines, trimmed. */
  readonly fields: ReadonlyMap<string, string>
  readonly statements: readonly Statement[]
  /** The description, sentence by sentence. */
  readonly about: readonly Statement[]
}

const fieldLine = /^([\p{L}\p{N}_-]+)\s*:/u

const fieldsOf = (yaml: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>()
  let key = ''
  for (const line of yaml.split(/\r?\n/)) {
    key = fieldLine.exec(line)?.[1] ?? key
    if (line.trim() !== '') fields.set(key, `${fields.get(key) ?? ''}\n${line.trim()}`.trim())
  }
  return fields
}

const lineCount = (text: string): number => text.split(/\r\n|[\n\r]/).length

export const readSkillParts = (text: string, cache: TokenCache): SkillParts => {
  const { marks, opening, yaml, closing, body } = splitSkillText(text)
  const { name, description } = parseSkillDocument(text, { folderName: 'skill' })
  const before = `${marks}${opening}${yaml}${closing}`
  return {
    name,
    description,
    fields: fieldsOf(yaml),
    statements: statementsOfMarkdown(body, cache, lineCount(before)),
    about: statementsOfMarkdown(description.replace(/\s+/g, ' '), cache),
  }
}

const known = new WeakMap<Statement, ReadonlySet<string>>()

/** The content words of a statement. */
export const wordsOf = (statement: Statement): ReadonlySet<string> => {
  const words = known.get(statement) ?? contentWords(statement.text)
  known.set(statement, words)
  return words
}

/** A statement of a source, with its place. */
export interface Occurrence {
  readonly statement: Statement
  /** The source it is in. */
  readonly source: number
  /** Its place in the order of the source; undefined for a description, which may stand anywhere. */
  readonly at: number | undefined
}

export interface MergeSources {
  readonly find: (key: string) => readonly Occurrence[]
  readonly all: readonly Occurrence[]
  readonly parts: readonly SkillParts[]
  /** For each source the tokens of its name, its description and its headings. */
  readonly labels: readonly ReadonlySet<string>[]
}

/** `texts`: each source as it is, and with its links as the merged text has them. */
export const readSources = async (texts: readonly (readonly string[])[], cache: TokenCache): Promise<MergeSources> => {
  const all: Occurrence[] = []
  const parts: SkillParts[] = []
  const index = new Map<string, Set<Occurrence>>()
  const add = (statement: Statement, occurrence: Occurrence): void => {
    for (const key of keysOf(statement)) index.set(key, (index.get(key) ?? new Set()).add(occurrence))
  }
  for (const [source, [text = '', ...others]] of texts.entries()) {
    await pause()
    const read = readSkillParts(text, cache)
    parts.push(read)
    const placed = read.statements.map((statement, at) => ({ statement, source, at }))
    for (const occurrence of [...read.about.map((statement) => ({ statement, source, at: undefined })), ...placed]) {
      all.push(occurrence)
      add(occurrence.statement, occurrence)
    }
    // Only paths differ, so the statements are the same ones in other words.
    for (const other of others.filter((each) => each !== text)) {
      const { statements } = readSkillParts(other, cache)
      if (statements.length !== placed.length) continue
      for (const [at, occurrence] of placed.entries()) add(statements[at] ?? occurrence.statement, occurrence)
    }
  }
  const labels = parts.map(({ name, about, statements }): ReadonlySet<string> => {
    const headings = statements.filter(({ kind }) => kind === 'heading')
    const tokens = [...about, ...headings].flatMap((label) => label.tokens)
    return new Set([...tokens, ...tokensOfSentence(toWords(name), cache)].map(({ value }) => value))
  })
  return {
    find: (key) => (key === '' ? [] : [...(index.get(key) ?? [])]),
    all,
    parts,
    labels,
  }
}
