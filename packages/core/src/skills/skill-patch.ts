/** Replaces a quoted part of a skill's text, found as tolerantly as is safe (reference skills-curator 7). Pure. */
import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { findApproximately } from './patch/patch-approximate-search.ts'
import { adoptIndentOf } from './patch/patch-indent.ts'
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
import { findAsWritten, findSafely } from './patch/patch-safe-search.ts'
import { findText, MOST_PLACES } from './patch/patch-sequence.ts'
import { findSimilarLines } from './patch/patch-similar-lines.ts'
import { toCodePoints } from './patch/patch-similarity.ts'
import { isApproximate, type PatchFind, type SkillPatchStrategy } from './patch/patch-strategy.ts'
import { keepTypography, toPlainTypography } from './patch/patch-typography.ts'

/** Characters; several times the limit of a skill or its files. */
const LARGEST_RESULT_CHARS = 2_000_000

const countLineFeeds = (text: string): number => text.split('\n').length - 1

const deepestIndent = (content: string): number =>
  content.split('\n').reduce((deepest, line) => Math.max(deepest, /^\s*/.exec(line)?.[0].length ?? 0), 0)

/** An upper bound of the patched content's length, without building it. */
const largestPossibleResult = (content: string, newText: string, { strategy, spans }: PatchFind): number => {
  const indent = strategy === 'exact' ? 0 : deepestIndent(content)
  // Each line may gain an indent and the CR of its line end.
  const replacement = newText.length + (countLineFeeds(newText) + 1) * (indent + 1)
  return content.length + spans.length * replacement
}

/** All line ends of `text` are CRLF, and there is at least one. */
const isCrlf = (text: string): boolean => text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text)

/** Whether line feeds of a replacement become CRLF: the file has only CRLF, and the caller wrote no CR. */
const wantsCrlf = (content: string, oldText: string, newText: string): boolean =>
  isCrlf(content) && !oldText.includes('\r') && !newText.includes('\r')

/** `text` with CRLF, and with the CR at the end of the replaced `region`. */
const toCrlf = (text: string, region: string): string =>
  text.replaceAll(/\r?\n/g, '\r\n') + (region.endsWith('\r') && !text.endsWith('\r') ? '\r' : '')

const ESCAPED_QUOTES = ["\\'", '\\"'] as const

const backslashRuns = (text: string): readonly number[] => (text.match(/\\+/g) ?? []).map(({ length }) => length)

interface EscapeDriftCheck {
  readonly oldText: string
  readonly newText: string
  /** Whether the old text was found only after resolving its escapes. */
  readonly resolved: boolean
}

/**
 * Returns a check for the text at a match: the escape sequence that old and new text have but the file does not, or `undefined`. Only for
 * matches that are not exact.
 */
const escapeDriftIn = ({ oldText, newText, resolved }: EscapeDriftCheck): ((region: string) => string | undefined) => {
  if (!newText.includes('\\')) return () => undefined
  const suspects = [...ESCAPED_QUOTES, ...(resolved ? ['\\n'] : [])].filter(
    (sequence) => newText.includes(sequence) && oldText.includes(sequence),
  )
  const given = backslashRuns(oldText)
  const isDoubled = (region: string): boolean => {
    const found = backslashRuns(region)
    return found.length > 0 && found.length === given.length && found.every((length, index) => given[index] === 2 * length)
  }
  return (region) => suspects.find((sequence) => !region.includes(sequence)) ?? (isDoubled(region) ? '\\\\' : undefined)
}

/**
 * Resolves `\t` and `\r` written as two characters if the replaced text has only real ones and the new text has none. `\n` is kept: line
 * breaks arrive as such, and code often has it. The CR of a CRLF does not count.
 */
const resolveEscapesLike = (region: string, newText: string): string => {
  const resolve = (text: string, sequence: string, real: string, isThere: boolean): string =>
    isThere && !region.includes(sequence) && !newText.includes(real) ? text.replaceAll(sequence, () => real) : text
  const withTabs = resolve(newText, '\\t', '\t', region.includes('\t'))
  return resolve(withTabs, '\\r', '\r', /\r(?!\n|$)/.test(region))
}

export interface SkillPatch {
  /** The text to replace; white space, escapes and typography may differ from the file. */
  readonly oldText: string
  /** The replacement; empty deletes. */
  readonly newText: string
  /** Replace every occurrence; otherwise there must be exactly one. Default: false. */
  readonly replaceAll?: boolean | undefined
  /**
   * Also accept lines that only resemble the old text. May match other text than was meant; not for unattended writers. Default: false.
   */
  readonly approximate?: boolean | undefined
}

export interface SkillPatchOutcome {
  /** The whole text after the patch. */
  readonly result: string
  readonly strategy: SkillPatchStrategy
  /** Number of places replaced. */
  readonly count: number
}

/** UTF-16 units of either text; longer ones are only searched for exact matches. Files of a skill are shorter, unless written by hand. */
const MAX_COMPARED_CHARS = 131_072

/** Budgets in comparison steps; each takes a few milliseconds. */
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
  // A short text may be there by chance, so it proves nothing.
  const isNewTextThere = toCodePoints(stripWhiteSpace(newText)).length >= ALREADY_THERE_FROM_CHARS && findText(content, newText).length > 0
  return err(oldTextNotFound(findSimilarLines(content, oldText), isNewTextThere))
}

/** Refuses several places, overlapping ones included, where one was meant or where they only resemble the text. */
const checkPlaces = (content: string, replaceAll: boolean, { strategy, spans }: PatchFind): HermesError | undefined => {
  if (spans.length < 2) return undefined
  if (!replaceAll) return ambiguousOldText({ content, spans, strategy })
  return isApproximate(strategy) ? approximateReplaceAll({ content, spans, strategy }) : undefined
}

/** Refuses a new text that would corrupt the file at one of the places or make it too long. */
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

/** The new text adapted to its place: escapes, typography and indent of the region, line ends of the file. */
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
 * Errors carry `details.reason` (`SkillPatchRefusal`): `empty` no or blank old text · `invalid` no change, or added escapes · `not_found`
 * with the closest lines · `ambiguous` with line numbers · `over_limit` too much to compare or to build. Text outside the replaced places
 * is not changed. Never throws; near-linear in the texts, with a budget for approximate matching and typography.
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
