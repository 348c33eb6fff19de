/** Keeps a patch from building a text that no memory holds: many places, times a long text, times a deep indent. */
import type { PatchFind } from './patch-strategy.ts'

/** Characters; several times what a skill or its files may hold. */
export const LARGEST_RESULT_CHARS = 2_000_000

const countLineFeeds = (text: string): number => text.split('\n').length - 1

const deepestIndent = (content: string): number =>
  content.split('\n').reduce((deepest, line) => Math.max(deepest, /^\s*/.exec(line)?.[0].length ?? 0), 0)

/** The most characters that the patched content may come to; an estimate from above, without building it. */
export const largestPossibleResult = (content: string, newText: string, { strategy, spans }: PatchFind): number => {
  const indent = strategy === 'exact' ? 0 : deepestIndent(content)
  // Each line may gain an indent and the CR of its line end.
  const replacement = newText.length + (countLineFeeds(newText) + 1) * (indent + 1)
  return content.length + spans.length * replacement
}
