/** Replaces a quoted part of a skill's text, found as tolerantly as is safe (reference skills-curator 7). Pure. */
import type { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { stripWhiteSpace } from '../../shared/white-space.ts'
import {
  ambiguousOldText,
  blankOldText,
  emptyOldText,
  escapeDrift,
  identicalTexts,
  oldTextNotFound,
  resultTooLarge,
  tooLongToCompare,
} from './explain-refusal.ts'
import { findAsWritten, findSafely, findText, MOST_PLACES, type PatchFind, type SkillPatchStrategy } from './find-text.ts'
import { fitReplacement } from './fit-text.ts'
import { withoutOverlaps } from './lines.ts'
import { toCodePoints } from './similarity.ts'

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

export interface SkillPatch {
  /** The text to replace; white space, escapes and typography may differ from the file. */
  readonly oldText: string
  /** The replacement; empty deletes. */
  readonly newText: string
  /** Replace every occurrence; otherwise there must be exactly one. Default: false. */
  readonly replaceAll?: boolean | undefined
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

const ALREADY_THERE_FROM_CHARS = 8

const checkTexts = ({ oldText, newText }: SkillPatch): HermesError | undefined => {
  if (oldText === '') return emptyOldText()
  if (stripWhiteSpace(oldText) === '') return blankOldText()
  return oldText === newText ? identicalTexts() : undefined
}

const find = (content: string, { oldText, newText }: SkillPatch): Result<PatchFind> => {
  const exact = findAsWritten(content, oldText)
  if (exact) return ok(exact)
  if (Math.max(content.length, oldText.length) > MAX_COMPARED_CHARS) return err(tooLongToCompare())
  const safe = findSafely(content, oldText)
  if (safe) return ok(safe)
  // A short text may be there by chance, so it proves nothing.
  const isNewTextThere = toCodePoints(stripWhiteSpace(newText)).length >= ALREADY_THERE_FROM_CHARS && findText(content, newText).length > 0
  return err(oldTextNotFound(content, oldText, isNewTextThere))
}

/** Refuses a new text that would corrupt the file at one of the places or make it too long. */
const checkNewText = (content: string, { oldText, newText }: SkillPatch, found: PatchFind): HermesError | undefined => {
  const { strategy, spans } = found
  if (spans.length >= MOST_PLACES || largestPossibleResult(content, newText, found) > LARGEST_RESULT_CHARS)
    return resultTooLarge(spans.length)
  // The line breaks of the old text were spelled out, so those of the new text would be written as they are.
  const isDrift = strategy === 'escape_normalized' && oldText.includes('\\n') && newText.includes('\\n')
  return isDrift ? escapeDrift(content, found) : undefined
}

/**
 * Errors carry `details.reason` (`SkillPatchRefusal`): `empty` no or blank old text · `invalid` no change, or added escapes · `not_found`
 * with the closest lines · `ambiguous` with line numbers · `over_limit` too much to compare or to build. Text outside the replaced places
 * is not changed. Never throws; near-linear in the texts, with a budget for typography.
 */
export const patchSkillText = (content: string, patch: SkillPatch): Result<SkillPatchOutcome> => {
  const unusable = checkTexts(patch)
  if (unusable) return err(unusable)
  const finding = find(content, patch)
  if (!finding.ok) return finding
  // Overlapping places count too.
  if (finding.value.spans.length > 1 && !patch.replaceAll) return err(ambiguousOldText(content, finding.value))
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
