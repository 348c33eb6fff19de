/** Errors of a patch: each says what was wrong, where, and what to send instead. */
import { HermesError, type HermesErrorCode } from '../../shared/hermes-error.ts'
import { stripWhiteSpace } from '../../shared/white-space.ts'
import { lineNumbersOf, type PatchSpan, spanOfLines, splitLines } from './patch-lines.ts'
import { MOST_PLACES } from './patch-sequence.ts'
import type { SimilarLine } from './patch-similar-lines.ts'
import { isApproximate, type SkillPatchStrategy } from './patch-strategy.ts'

/** `details.reason` of a refused patch. */
export type SkillPatchRefusal =
  | 'empty-old'
  | 'blank-old'
  | 'identical'
  | 'not-found'
  | 'ambiguous'
  | 'approximate-replace-all'
  | 'approximate-budget'
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

interface Found {
  readonly content: string
  readonly spans: readonly PatchSpan[]
  readonly strategy: SkillPatchStrategy
}

export const ambiguousOldText = ({ content, spans, strategy }: Found) => {
  const { lines, preview } = placesOf(content, spans)
  const wayOut = isApproximate(strategy) ? 'Quote one of them exactly.' : 'Quote more of the lines around the one meant, or replace all.'
  const details = { strategy, count: spans.length, lines, preview }
  return refusal(
    'ambiguous',
    'ambiguous',
    `The old text fits ${spans.length} places${spans.length >= MOST_PLACES ? ' or more' : ''}. ${wayOut}\n${preview}`,
    details,
  )
}

export const approximateReplaceAll = ({ content, spans, strategy }: Found) => {
  const { lines, preview } = placesOf(content, spans)
  const message = `The old text is not there; ${spans.length} places only resemble it, and replacing all of those could rewrite other text. Quote it exactly.\n${preview}`
  return refusal('ambiguous', 'approximate-replace-all', message, { strategy, count: spans.length, lines, preview })
}

export const escapeDrift = ({ content, spans, strategy }: Found, sequence: string) => {
  const { lines, preview } = placesOf(content, spans)
  const what = sequence === '\\\\' ? 'every backslash doubled' : `the escape ${sequence}`
  const message = `Old and new text have ${what}, the file does not: the escapes came in on the way and would be written into the file. Send both texts as the file has them, without added escapes.\n${preview}`
  return refusal('invalid', 'escape-drift', message, { strategy, sequence, lines, preview })
}

export const approximateBudgetSpent = () =>
  refusal(
    'over_limit',
    'approximate-budget',
    'The old text is not there as quoted, and looking for something similar takes too long in a text of this size. Quote it exactly.',
  )

export const tooLongToCompare = () =>
  refusal(
    'over_limit',
    'too-long',
    'The old text is not there exactly as quoted, and in texts of this length nothing else is looked for. Quote it exactly, and no more of it than is needed.',
  )

export const oldTextNotFound = (closest: readonly SimilarLine[], isNewTextThere: boolean) => {
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
