/** Parses YAML. Text that is too long, has too many tokens or nests too deep is refused before any recursive or quadratic step. */
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

/** Maximum size of a document to read. */
export interface YamlLimits {
  /** UTF-16 units. */
  readonly maxChars: number
  /** Lexer tokens: keys, values, marks, spaces and line ends; about ten a line. */
  readonly maxTokens: number
}

/** Maximum nesting of mappings and lists; a stack overflow in the parser could end the process. */
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
    // The document itself is on the stack too.
    if (parser.stack.length > MAX_YAML_DEPTH + 1) return overLimit(`it is nested deeper than ${MAX_YAML_DEPTH} levels`)
  }
  tokens.push(...parser.end())
  return ok(tokens)
}

/**
 * The first document of the text; its errors, including a second document, are in its `errors`. `over_limit` with a clause such as `it is
 * nested deeper than 64 levels`.
 */
export const parseBoundedYaml = (text: string, limits: YamlLimits, options: YamlOptions = {}): Result<Document.Parsed> => {
  if (text.length > limits.maxChars) return overLimit(`it is longer than ${limits.maxChars} characters`)
  const tokens = readTokens(text, limits, options.lineCounter)
  if (!tokens.ok) return tokens
  const [document, next] = new Composer(options).compose(tokens.value, true, text.length)
  // Composing with `forceDoc` returns a document for any text.
  if (!document) throw new TypeError('The YAML composer answered no document.')
  if (next) document.errors.push(new YAMLParseError([next.range[0], next.range[1]], 'MULTIPLE_DOCS', 'it holds several documents'))
  return ok(document)
}
