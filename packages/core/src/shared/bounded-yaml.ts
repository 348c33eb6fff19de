/** The one way YAML is parsed: text that is too long, holds too many tokens or nests too deep is refused before anything recursive or quadratic sees it. */
import {
  Composer,
  type Document,
  type DocumentOptions,
  Lexer,
  type LineCounter,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  YAMLParseError,
} from 'yaml'
import { HermesError } from './hermes-error.ts'
import { err, ok, type Result } from './result.ts'

/** How much of a document is read at most. */
export interface YamlLimits {
  /** UTF-16 units. */
  readonly maxChars: number
  /** What the lexer tells apart: keys, values, marks, spaces and line ends; about ten a line. */
  readonly maxTokens: number
}

/** Mappings and lists inside each other; an engine that runs out of stack in the parser may end the process. */
export const MAX_YAML_DEPTH = 64

export type YamlOptions = Omit<ParseOptions, 'lineCounter' | 'prettyErrors'> &
  DocumentOptions &
  SchemaOptions & { readonly lineCounter?: LineCounter }

const overLimit = (why: string): { readonly ok: false; readonly error: HermesError } => err(new HermesError('over_limit', why))

/** The concrete syntax, which the parser builds without recursion. */
const readTokens = (text: string, { maxTokens }: YamlLimits, lines: LineCounter | undefined) => {
  const parser = new Parser(lines?.addNewLine)
  lines?.addNewLine(0)
  const tokens: Parser['stack'] = []
  let count = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > maxTokens) return overLimit(`it has more than ${maxTokens} keys, values and marks`)
    tokens.push(...parser.next(lexeme))
    // The document itself is the first on the stack.
    if (parser.stack.length > MAX_YAML_DEPTH + 1) return overLimit(`it is nested deeper than ${MAX_YAML_DEPTH} levels`)
  }
  tokens.push(...parser.end())
  return ok(tokens)
}

/**
 * The first document of the text; errors in it are in its `errors`, a second document among them. `over_limit` with half a sentence, such
 * as `it is nested deeper than 64 levels`.
 */
export const parseBoundedYaml = (text: string, limits: YamlLimits, options: YamlOptions = {}): Result<Document.Parsed> => {
  if (text.length > limits.maxChars) return overLimit(`it is longer than ${limits.maxChars} characters`)
  const tokens = readTokens(text, limits, options.lineCounter)
  if (!tokens.ok) return tokens
  const [document, next] = new Composer(options).compose(tokens.value, true, text.length)
  // Asked to, the composer answers a document for any text.
  if (!document) throw new TypeError('The YAML composer answered no document.')
  if (next) document.errors.push(new YAMLParseError([next.range[0], next.range[1]], 'MULTIPLE_DOCS', 'it holds several documents'))
  return ok(document)
}
