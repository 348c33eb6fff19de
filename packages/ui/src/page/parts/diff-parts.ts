/** What has changed between two texts: by words in a short text, by lines in a long one. Pure, with limited work. */
import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff'

export interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

const MAX_MS = 150
/** Longer texts are compared by lines. */
const MAX_WORD_CHARS = 2_000
/** Lines shown around a change. */
const CONTEXT = 3

const toPart = ({ added, removed, value }: ChangeObject<string>): DiffPart => ({
  kind: added ? 'added' : removed ? 'removed' : 'same',
  text: value,
})

const whole = (before: string, after: string): readonly DiffPart[] => [
  ...(before === '' ? [] : [{ kind: 'removed', text: before } as const]),
  ...(after === '' ? [] : [{ kind: 'added', text: after } as const]),
]

export const isByWords = (before: string, after: string): boolean =>
  before !== '' && after !== '' && before.length + after.length <= MAX_WORD_CHARS && !`${before}${after}`.includes('\n')

export const diffParts = (before: string, after: string): readonly DiffPart[] => {
  if (before === '' || after === '') return whole(before, after)
  const compared = isByWords(before, after)
    ? diffWordsWithSpace(before, after, { timeout: MAX_MS })
    : diffLines(before, after, { timeout: MAX_MS })
  return compared?.map(toPart) ?? whole(before, after)
}

export interface DiffLine {
  readonly kind: DiffPart['kind'] | 'skipped'
  readonly text: string
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n')

/** Lines of a diff, with long unchanged stretches left out. */
export const diffLinesOf = (parts: readonly DiffPart[]): readonly DiffLine[] =>
  parts.flatMap(({ kind, text }, index): readonly DiffLine[] => {
    const lines = linesOf(text).map((line) => ({ kind, text: line }))
    const first = index === 0 ? 0 : CONTEXT
    const last = index === parts.length - 1 ? 0 : CONTEXT
    const hidden = lines.length - first - last
    if (kind !== 'same' || hidden <= 1) return lines
    const skipped = { kind: 'skipped', text: `${hidden} unchanged lines` } as const
    return [...lines.slice(0, first), skipped, ...lines.slice(lines.length - last)]
  })
