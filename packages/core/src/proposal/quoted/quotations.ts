/** Long quotations between typographic quotation marks: “…”, „…“, «…», »…«, 「…」, 『…』. Short ones are names, titles and turns of phrase. */
import { lazyPattern } from '../../shared/lazy-pattern.ts'
import type { Range } from './marks.ts'

const blank = /^\s?$/

const CLOSED_BY: Readonly<Record<string, string>> = { '“': '”', '„': '“”', '«': '»', '»': '«', '”': '”', '「': '」', '『': '』' }
/** These also close, so they open only where a word cannot end. */
const CLOSERS = '”»'
const mayOpen = /^[\s(:：—–-]?$/
const opens = (text: string, at: number, mark: string): boolean =>
  CLOSED_BY[mark] !== undefined && (!CLOSERS.includes(mark) || (mayOpen.test(text.charAt(at - 1)) && !blank.test(text.charAt(at + 1))))

const lineBefore = /(?:^|\n)[ \t]*(?:[-*•][ \t]+)?$/
/** A mark at the beginning of its line or item. */
const beginsLine = (text: string, at: number): boolean =>
  blank.test(text.charAt(at - 1)) && lineBefore.test(text.slice(Math.max(0, at - 20), at))
const endsLine = /^[ \t.,;!?。]{0,3}(?:[\r\n]|$)/

const sentenceEnd = lazyPattern(String.raw`[.!?…](?=["'’)\]]?\s+[\p{Lu}\p{Lo}\d“«„])|[。！？](?=.)`, 'u')
const wideLetter = lazyPattern(String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`, 'gu')

/** Letters of Han and the like count as three, since they say about as much. */
const lengthOf = (content: string): number => content.length + 2 * (content.match(wideLetter.read())?.length ?? 0)

const LONG_CHARS = 180
/** Of several sentences or lines, or alone in its line. */
const MIN_CHARS = 40

/** Quotations up to this length are looked at; longer ones are long. */
const READ_CHARS = 600

const isLong = (text: string, { start, end }: Range): boolean => {
  if (end - start > READ_CHARS) return true
  const content = text.slice(start + 1, end - 1).trim()
  const length = lengthOf(content)
  if (length >= LONG_CHARS) return true
  if (length < MIN_CHARS) return false
  if (content.includes('\n') || sentenceEnd.read().test(content)) return true
  return beginsLine(text, start) && endsLine.test(text.slice(end, end + 5))
}

interface Quotation {
  readonly start: number
  readonly closedBy: string
  /** Behind the last mark that could close it. */
  end: number
}

/**
 * From mark to mark, with the quotations inside. What is quoted may hold marks that have no counterpart: one that opens does not hinder the last one from
 * closing, and one that closes too early does not end a long quotation if another follows.
 */
export const longQuotations = (text: string): readonly Range[] => {
  const found: Quotation[] = []
  let open: Quotation | undefined
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const mark = text.charAt(index)
    const current = open ?? found.at(-1)
    if (current?.closedBy.includes(mark) && (open || !opens(text, index, mark))) {
      current.end = index + 1
      depth = Math.max(0, depth - 1)
      if (depth > 0) continue
      if (open && isLong(text, open)) found.push(open)
      open = undefined
    } else if (!open && opens(text, index, mark)) {
      open = { start: index, closedBy: CLOSED_BY[mark] ?? '', end: 0 }
      depth = 1
    } else if (open && mark === text.charAt(open.start) && !beginsLine(text, index)) {
      // Each paragraph of a long quotation begins with a mark of its own, which is not counted.
      depth += 1
    }
  }
  return open && open.end > 0 && isLong(text, open) ? [...found, open] : found
}
