/** Replaces a quoted part of a skill's text, found as forgivingly as is safe (reference skills-curator 7). Pure. */
import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { findApproximately } from './patch/patch-approximate-search.ts'
import { escapeDriftIn, resolveEscapesLike } from './patch/patch-escapes.ts'
import { adoptIndentOf } from './patch/patch-indent.ts'
import { toCrlf, wantsCrlf } from './patch/patch-line-ends.ts'
import { type PatchSpan, withoutOverlaps } from './patch/patch-lines.ts'
import type { WorkBudget } from './patch/patch-matching-blocks.ts'
import {
  ambiguousOldText,
  approximateBudgetSpent,
  approximateReplaceAll,
  blankOldText,
  emptyOldText,
  escapeDrift,
  identicalTexts,
  oldTextNotFound,
  resultTooLarge,
  tooLongToCompare,
} from './patch/patch-refusal.ts'
import { LARGEST_RESULT_CHARS, largestPossibleResult } from './patch/patch-result-size.ts'
import { findAsWritten, findSafely } from './patch/patch-safe-search.ts'
import { findText, MOST_PLACES } from './patch/patch-sequence.ts'
import { findSimilarLines } from './patch/patch-similar-lines.ts'
import { toCodePoints } from './patch/patch-similarity.ts'
import { isApproximate, type PatchFind, type SkillPatchStrategy } from './patch/patch-strategy.ts'
import { keepTypography, toPlainTypography } from './patch/patch-typography.ts'

export interface SkillPatch {
  /** The text to replace, as the file has it; white space, escapes and typography may differ. */
  readonly oldText: string
  /** What it becomes; empty deletes. */
  readonly newText: string
  /** Replace every occurrence; otherwise there must be exactly one. Default: false. */
  readonly replaceAll?: boolean
  /** Also take lines that only resemble the old text. It can hit other text than was meant; not for writers nobody watches. Default: false. */
  readonly approximate?: boolean
}

export interface SkillPatchOutcome {
  /** The whole text after the patch. */
  readonly result: string
  readonly strategy: SkillPatchStrategy
  /** How many places were replaced. */
  readonly count: number
}

/** UTF-16 units of either text; longer ones are only searched for what is quoted exactly. A file of a skill holds fewer, unless it was written by hand. */
const MAX_COMPARED_CHARS = 131_072

/** Steps of comparing; a few milliseconds each. */
const APPROXIMATE_BUDGET = 400_000
const TYPOGRAPHY_BUDGET = 200_000

const ALREADY_THERE_FROM_CHARS = 8

const checkTexts = ({ oldText, newText }: SkillPatch): HermesError | undefined => {
  if (oldText === '') return emptyOldText()
  if (stripWhiteSpace(oldText) === '') return blankOldText()
  return oldText === newText ? identicalTexts() : undefined
}

const find = (content: string, { oldText, newText, approximate = false }: SkillPatch): Result<PatchFind> => {
  const exact = findAsWritten(content, oldText)
  if (exact) return ok(exact)
  if (Math.max(content.length, oldText.length) > MAX_COMPARED_CHARS) return err(tooLongToCompare())
  const safe = findSafely(content, oldText)
  if (safe) return ok(safe)
  const budget: WorkBudget = { left: APPROXIMATE_BUDGET }
  const similar = approximate ? findApproximately(content, oldText, budget) : undefined
  if (budget.left < 0) return err(approximateBudgetSpent())
  if (similar) return ok(similar)
  // A short text may stand there by chance and says nothing.
  const isNewTextThere = toCodePoints(stripWhiteSpace(newText)).length >= ALREADY_THERE_FROM_CHARS && findText(content, newText).length > 0
  return err(oldTextNotFound(findSimilarLines(content, oldText), isNewTextThere))
}

/** Several places where one was meant, or where they only resemble the text. Places that overlap count. */
const checkPlaces = (content: string, replaceAll: boolean, { strategy, spans }: PatchFind): HermesError | undefined => {
  if (spans.length < 2) return undefined
  if (!replaceAll) return ambiguousOldText({ content, spans, strategy })
  return isApproximate(strategy) ? approximateReplaceAll({ content, spans, strategy }) : undefined
}

/** A new text that would spoil or burst the file at one of the places. */
const checkNewText = (content: string, { oldText, newText }: SkillPatch, found: PatchFind): HermesError | undefined => {
  const { strategy, spans } = found
  if (spans.length >= MOST_PLACES || largestPossibleResult(content, newText, found) > LARGEST_RESULT_CHARS)
    return resultTooLarge(spans.length)
  if (strategy === 'exact') return undefined
  const driftIn = escapeDriftIn({ oldText, newText, resolved: strategy === 'escape_normalized' })
  for (const span of spans) {
    const sequence = driftIn(content.slice(span.start, span.end))
    if (sequence !== undefined) return escapeDrift({ content, spans: [span], strategy }, sequence)
  }
  return undefined
}

/** The new text as it fits the place: escapes, typography and indent of the region, line ends of the file. */
const fitReplacement = (content: string, { oldText, newText }: SkillPatch, { strategy, quoted }: PatchFind) => {
  const plainOldText = toPlainTypography(oldText).text
  const crlf = wantsCrlf(content, oldText, newText)
  const adoptIndent = adoptIndentOf(quoted)
  const budget: WorkBudget = { left: TYPOGRAPHY_BUDGET }
  const adapt = (region: string): string => {
    const text = resolveEscapesLike(region, newText)
    if (strategy === 'exact') return text
    const isTypographic = strategy === 'unicode_normalized' && toPlainTypography(region).text === plainOldText
    return isTypographic ? keepTypography(region, text, budget) : adoptIndent(region, text)
  }
  return ({ start, end }: PatchSpan): string => {
    const region = content.slice(start, end)
    return crlf ? toCrlf(adapt(region), region) : adapt(region)
  }
}

/**
 * Errors carry `details.reason` (`SkillPatchRefusal`): `empty` no or blank old text · `invalid` nothing would change, or added escapes ·
 * `not_found` with the closest lines · `ambiguous` with line numbers · `over_limit` too much to compare or to build. All outside the
 * replaced places stays as it is. Never throws; near-linear in the texts, approximate matching and typography within a budget.
 */
export const patchSkillText = (content: string, patch: SkillPatch): Result<SkillPatchOutcome> => {
  const unusable = checkTexts(patch)
  if (unusable) return err(unusable)
  const finding = find(content, patch)
  if (!finding.ok) return finding
  const severalPlaces = checkPlaces(content, patch.replaceAll ?? false, finding.value)
  if (severalPlaces) return err(severalPlaces)
  const found = { ...finding.value, spans: withoutOverlaps(finding.value.spans) }
  const unfit = checkNewText(content, patch, found)
  if (unfit) return err(unfit)

  const replacementFor = fitReplacement(content, patch, found)
  const pieces: string[] = []
  let done = 0
  for (const span of found.spans) {
    pieces.push(content.slice(done, span.start), replacementFor(span))
    done = span.end
  }
  pieces.push(content.slice(done))
  return ok({ result: pieces.join(''), strategy: found.strategy, count: found.spans.length })
}
