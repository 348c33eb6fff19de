/** A statement of a skill, as it is compared with others. */
import { plainKeyOf, type StatementToken } from './statement-tokens.ts'

export interface Statement {
  readonly kind: 'prose' | 'heading' | 'code' | 'row'
  readonly text: string
  /** From 1. */
  readonly line: number
  readonly tokens: readonly StatementToken[]
  readonly key: string
  /** In an HTML comment. */
  readonly hidden: boolean
  /** Keys of the headings above it, the nearest first. */
  readonly headings: readonly string[]
  /** How many words in these headings negate or restrict. */
  readonly turnedBy: number
  /** The statement that introduces its list or code, or the item that it is below. */
  readonly lead: Statement | undefined
  /** For code: the sentence before it, if it negates or restricts. */
  readonly warning: Statement | undefined
  /** The ordered list or the code block that it is a step of. */
  readonly sequence: object | undefined
}

export const isText = ({ kind }: Pick<Statement, 'kind'>): boolean => kind === 'prose' || kind === 'heading'

/** Each line that is not blank as a line of code, for a file that is not Markdown. */
export const statementsOfCode = (text: string): readonly Statement[] => {
  const sequence = {}
  return text.split(/\r?\n/).flatMap((raw, index): Statement[] => {
    const line = raw.trimEnd()
    if (line === '') return []
    const shared = { tokens: [], hidden: false, headings: [], turnedBy: 0, lead: undefined, warning: undefined }
    return [{ kind: 'code', text: line, line: index + 1, key: `code ${line}`, sequence, ...shared }]
  })
}

/** The other forms of a statement by which it may be found. */
export const keysOf = (statement: Statement): readonly string[] =>
  isText(statement) ? [statement.key, plainKeyOf(statement.text)] : [statement.key]
