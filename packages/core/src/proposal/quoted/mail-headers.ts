/** The headers of a copied mail: a sender, and what else shows that these labels are no form of another kind. */
import { latePattern } from '../../shared/late-pattern.ts'
import { readOnce } from '../../shared/read-once.ts'
import type { Line } from './lines.ts'
import { type Label, labelNames } from './mail-words.ts'

const NAMES = readOnce(labelNames)

/** A label in front of a colon, a tab, the edge of a table cell, or alone. */
const firstLabel =
  /^[\s|]{0,8}(?:(?:[-*•·–+]{1,2}|\d{1,2}[.)])\s{1,4})?[*_]{0,2}([^\s:：|*_][^:：|\t]{0,20}?)\s{0,3}[*_]{0,2}\s{0,3}(?:[:：|\t]|$)/

const MIN_REST = 4
/** Further labels of the same line. */
const nextLabel = latePattern(String.raw`(?<=[\s|,;*_])([\p{L}-]{1,14})[ \t]{0,3}[*_]{0,2}[ \t]{0,3}[:：|]`, 'gu')

const labelOf = (name: string | undefined): Label | undefined => (name === undefined ? undefined : NAMES.read().get(name.toLowerCase()))

/** Empty unless the line begins with a label. */
const labelsOf = (line: string): readonly Label[] => {
  const match = firstLabel.exec(line)
  const first = labelOf(match?.[1])
  if (!match || !first) return []
  const rest = line.slice(match[0].length - 1)
  return rest.length < MIN_REST ? [first] : [first, ...[...rest.matchAll(nextLabel.read())].flatMap(([, name]) => labelOf(name) ?? [])]
}

/** Lines with text that may be between two labels: a value, or the rest of a folded one. */
const MAX_BETWEEN = 2

interface Block {
  readonly start: number
  readonly labels: Set<Label>
  hasAddress: boolean
  between: number
}

/** From, to and a date alone are those of a journey. */
const isMail = ({ labels, hasAddress }: Block): boolean =>
  labels.has('sender') && (labels.has('subject') || labels.has('sent') || (hasAddress && labels.size > 1))

/** Where the first mail begins. */
export const mailHeaders = (lines: readonly Line[]): number | undefined => {
  let block: Block | undefined
  for (const { start, text } of lines) {
    if (text === '') continue
    const labels = labelsOf(text)
    if (labels.length > 0) {
      block ??= { start, labels: new Set(), hasAddress: false, between: 0 }
      for (const label of labels) block.labels.add(label)
      block.hasAddress ||= text.includes('@')
      block.between = 0
    } else if (block) {
      block.between += 1
      if (block.between > MAX_BETWEEN) {
        if (isMail(block)) return block.start
        block = undefined
      }
    }
  }
  return block && isMail(block) ? block.start : undefined
}
