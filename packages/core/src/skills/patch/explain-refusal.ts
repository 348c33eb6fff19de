/** Errors of a patch: each says what was wrong, where, and what to send instead. */
import { HermesError, type HermesErrorCode } from '../../shared/hermes-error.ts'
import { stripWhiteSpace } from '../../shared/white-space.ts'
import { MOST_PLACES, type PatchFind } from './find-text.ts'
import { lineNumbersOf, type PatchSpan, spanOfLines, splitLines } from './lines.ts'
import { areSimilar, similarityRatio, toCodePoints } from './similarity.ts'

/** `line` counts from 1. */
interface SimilarLine {
  readonly line: number
  readonly text: string
}

const LEAST_SIMILARITY = 0.5
const COMPARED_CHARS = 160
const MOST_LINES = 3
const BUDGET = 80_000

const comparable = (line: string) => toCodePoints(stripWhiteSpace(line).slice(0, COMPARED_CHARS))

/** At most three lines, most similar to the first non-blank line of `wanted`, best first. Only part of a very long text is read. */
const findSimilarLines = (content: string, wanted: string): readonly SimilarLine[] => {
  const anchor = comparable(wanted.split('\n').find((line) => stripWhiteSpace(line) !== '') ?? '')
  if (anchor.length === 0) return []
  const budget = { left: BUDGET }
  return content
    .split('\n')
    .flatMap((text, index) => {
      if (budget.left < 0 || stripWhiteSpace(text) === '') return []
      const points = comparable(text)
      if (!areSimilar(anchor, points, LEAST_SIMILARITY, budget)) return []
      return { line: index + 1, text, ratio: similarityRatio(anchor, points, budget) }
    })
    .sort((one, other) => other.ratio - one.ratio || one.line - other.line)
    .slice(0, MOST_LINES)
    .map(({ line, text }) => ({ line, text }))
}

/** `details.reason` of a refused patch. */
export type SkillPatchRefusal =
  | 'empty-old'
  | 'blank-old'
  | 'identical'
  | 'not-found'
  | 'ambiguous'
  | 'escape-drift'
  | 'too-large'
  | 'too-long'

const SHOWN_PLACES = 5
const LISTED_LINES = 100
const SHOWN_CHARS = 80

/** `text` on one line, cut to a length in code points. */
const cut = (text: string): string => {
  const points = Array.from(stripWhiteSpace(text).slice(0, 2 * SHOWN_CHARS + 2))
  return points.length > SHOWN_CHARS ? `${points.slice(0, SHOWN_CHARS - 1).join('')}…` : points.join('')
}

const showLines = (places: readonly SimilarLine[]): string => places.map(({ line, text }) => `line ${line}: ${cut(text)}`).join('\n')

/** The lines at which spans begin: numbers of the first hundred, and a preview of the first few. */
const placesOf = (content: string, spans: readonly PatchSpan[]) => {
  const lines = lineNumbersOf(
    content,
    spans.map(({ start }) => start),
  )
  const all = splitLines(content)
  const shown = lines.slice(0, SHOWN_PLACES).map((line) => {
    const { start, end } = spanOfLines(all, line - 1, 1)
    return { line, text: content.slice(start, end) }
  })
  const more = lines.length - shown.length
  return { lines: lines.slice(0, LISTED_LINES), preview: showLines(shown) + (more > 0 ? `\nand ${more} more` : '') }
}

const refusal = (code: HermesErrorCode, reason: SkillPatchRefusal, message: string, details: Readonly<Record<string, unknown>> = {}) =>
  new HermesError(code, message, { details: { reason, ...details } })

export const emptyOldText = () =>
  refusal(
    'empty',
    'empty-old',
    'There is no old text. Quote the text to replace; to append, quote the last line and repeat it in the new text.',
  )

export const blankOldText = () =>
  refusal('empty', 'blank-old', 'The old text is only white space, which occurs everywhere. Quote it together with the words beside it.')

export const identicalTexts = () =>
  refusal('invalid', 'identical', 'Old and new text are the same, so nothing would change. Send the new text as it should read.')

type Found = Pick<PatchFind, 'spans' | 'strategy'>

export const ambiguousOldText = (content: string, { spans, strategy }: Found) => {
  const { lines, preview } = placesOf(content, spans)
  const message = `The old text fits ${spans.length} places${spans.length >= MOST_PLACES ? ' or more' : ''}. Quote more of the lines around the one meant, or replace all.\n${preview}`
  return refusal('ambiguous', 'ambiguous', message, { strategy, count: spans.length, lines, preview })
}

export const escapeDrift = (content: string, { spans, strategy }: Found) => {
  const { lines, preview } = placesOf(content, spans.slice(0, 1))
  const message = `Old and new text have the escape \\n, the file does not: the escapes came in on the way and would be written into the file. Send both texts as the file has them, without added escapes.\n${preview}`
  return refusal('invalid', 'escape-drift', message, { strategy, sequence: '\\n', lines, preview })
}

export const tooLongToCompare = () =>
  refusal(
    'over_limit',
    'too-long',
    'The old text is not there exactly as quoted, and in texts of this length nothing else is looked for. Quote it exactly, and no more of it than is needed.',
  )

export const oldTextNotFound = (content: string, oldText: string, isNewTextThere: boolean) => {
  const closest = findSimilarLines(content, oldText)
  const preview = showLines(closest)
  const message = [
    isNewTextThere
      ? 'The old text is not there, but the new text is: the change seems to be made already. Read the file before changing more.'
      : 'The old text is not there. Read the file again and quote it exactly, white space included.',
    ...(closest.length > 0 ? [`Closest to its first line:\n${preview}`] : []),
  ].join(' ')
  return refusal('not_found', 'not-found', message, {
    closest: closest.map(({ line, text }) => ({ line, text: cut(text) })),
    preview,
    isNewTextThere,
  })
}

export const resultTooLarge = (count: number) =>
  refusal(
    'over_limit',
    'too-large',
    `Replacing ${count} places with this text could make the result far too large. Send a shorter new text or replace fewer places.`,
    {
      count,
    },
  )
