/** The statements of a skill's text, for whoever asks after the source of each: its sentences, without what markdown and front matter put around them. */
import { contentWords } from '../text/content-words.ts'
import { sentencesOf } from '../text/sentences.ts'
import { spend } from '../text/work-limit.ts'

export interface SkillStatement {
  readonly text: string
  readonly clauses: readonly string[]
  /** It is a name, a description or a heading, and not a step. */
  readonly isLabel: boolean
}

const label = /^\s*(?:#{1,6}\s|(?:name|description)\s*:)/
const marker = /^(?:>\s*|(?:[-*+]|\d{1,3}[.)]|#{1,6})\s+(?:\[[ x]\]\s+)?)+/i
/** The name of a language behind the ticks is short; what is longer says something. */
const fence = /^(?:-{3,}|\.{3}|={3,}|[`~]{3,}[\p{L}\p{N}_+#-]{0,12})$/u
const key = /^(?:name|description)\s*:\s*/
/** Says nothing to anybody. */
const bookkeeping = /^version\s*:\s*["']?[\d.]{1,20}["']?$/
const clauseEnd =
  /(?<![,;:()[\]|–—])[,;:()[\]|–—]+(?=\s|$)|[，、；：（）]|(?:&&|\|\|)|(?<=\s)(?:and|then|und|dann|y|luego|et|puis|e|poi|en|daarna|и|затем)(?=\s)/u

/** Words by which any skill is laid out, whatever it is about. None of them orders, allows or forbids anything. */
export const SKILL_LAYOUT: ReadonlySet<string> = contentWords(
  `skill skills name description category metadata overview usage use used uses using purpose goal summary introduction background context when
  step steps procedure procedures workflow process checklist guide prerequisites prerequisite notes note example examples pitfalls
  tips verification references reference first second third next finally finish`,
)
/** As verbs they bind, so they lay a skill out only where they stand alone. */
const heading = /^(?:requirements?|the following|following)[^\p{L}]*$/iu

/** "Run `pnpm test`" is the command. */
const runs = /^(?:run|use|call|execute)\s+(?=`)/i

const clausesOf = (text: string): readonly string[] =>
  text
    .split(clauseEnd)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')

export const skillStatementsOf = (lines: readonly string[]): readonly SkillStatement[] =>
  lines.flatMap((line) => {
    const text = line.trim().replace(marker, '').replace(key, '').replace(runs, '')
    if (text === '' || fence.test(text) || bookkeeping.test(text) || heading.test(text)) return []
    const sentences = sentencesOf(text)
    spend(1_500 * sentences.length + 10 * line.length)
    return sentences.map((sentence) => ({ text: sentence, clauses: clausesOf(sentence), isLabel: label.test(line) }))
  })
