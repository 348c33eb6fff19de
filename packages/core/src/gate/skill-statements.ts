/**
 * The statements of a skill's text, for whoever asks after the source of each: sentences of its lines, without what markdown and front matter put around them, and
 * their clauses, since one sentence can carry what two people said.
 */
import { sentencesOf } from './sentences.ts'

export interface SkillStatement {
  readonly text: string
  readonly clauses: readonly string[]
}

const marker = /^(?:>\s*|(?:[-*+]|\d{1,3}[.)]|#{1,6})\s+(?:\[[ x]\]\s+)?)+/i
/** The name of a language behind the ticks is short; what is longer says something. */
const fence = /^(?:-{3,}|\.{3}|={3,}|[`~]{3,}[\p{L}\p{N}_+#-]{0,12})$/u
const key = /^(?:name|description)\s*:\s*/
/** Says nothing to anybody. */
const bookkeeping = /^version\s*:\s*["']?[\d.]{1,20}["']?$/
const clauseEnd =
  /(?<![,;:()[\]|–—])[,;:()[\]|–—]+(?=\s|$)|[，、；：（）]|(?:&&|\|\|)|(?<=\s)(?:and|then|und|dann|y|luego|et|puis|e|poi|en|daarna|и|затем)(?=\s)/u

const clausesOf = (text: string): readonly string[] =>
  text
    .split(clauseEnd)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')

export const skillStatementsOf = (lines: readonly string[]): readonly SkillStatement[] =>
  lines
    .map((line) => line.trim().replace(marker, '').replace(key, ''))
    .filter((line) => line !== '' && !fence.test(line) && !bookkeeping.test(line))
    .flatMap(sentencesOf)
    .map((text) => ({ text, clauses: clausesOf(text) }))
