/**
 * What a change makes of a skill: the file's new text and lines, and what the agent sees besides: the name of a new category appears in every later system
 * prompt, that of a new file in every view of the skill. Pure.
 */
import { patchSkillText } from '../skills/patch/patch-skill.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { contentWords } from '../text/content-words.ts'
import { linesOf } from '../text/sentences.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import { scanThreats } from '../threats/scan.ts'
import { toScanParts } from '../threats/scan-parts.ts'
import { instructionLike } from './instruction-like.ts'

/** A name of at most this many words and characters only names a thing; a longer one makes a statement. */
const MOST_WORDS = 3
const MOST_CHARS = 40
const runTogether = /\S{21}/

/** The new category or file path as written. Undefined if the change creates none. `current`: the text of the file concerned, undefined if there is none. */
export const newPlace = (op: SkillOp, current: string | undefined): string | undefined => {
  if (op.action === 'create') return op.category
  return op.action === 'write_file' && current === undefined ? op.filePath : undefined
}

/** A name as the words that a reader sees, without the file extension and the support folder. */
export const wordsOfPlace = (place: string): string =>
  place
    .replace(/^(?:references|templates|scripts|assets)\//, '')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/[-_./\s]+/g, ' ')
    .trim()

/** The new place as a line that needs a source like every other; none if it only names a thing. */
export const saidByPlace = (op: SkillOp, current: string | undefined): readonly string[] => {
  const place = newPlace(op, current)
  if (place === undefined) return []
  const words = wordsOfPlace(place)
  const count = contentWords(words).size
  const isName = words.length <= MOST_CHARS && !runTogether.test(words) && count <= MOST_WORDS
  // A single verb, as in `publish.sh`, is a name.
  return isName && (count < 2 || instructionLike(words) === undefined) ? [] : [words]
}

/** The file's text afterwards. For a patch that does not fit, its new text alone. `current`: undefined if there is no file. */
export const nextSkillText = (op: Exclude<SkillOp, { action: 'archive' | 'remove_file' }>, current: string | undefined): string => {
  if (op.action !== 'patch') return op.content
  const { oldText, newText, replaceAll = false } = op
  const patched = current === undefined ? undefined : patchSkillText(current, { oldText, newText, replaceAll })
  return patched?.ok ? patched.value.result : newText
}

export interface LineChange {
  /** New lines, trimmed, in order. */
  readonly added: readonly string[]
  /** Lines that were removed. */
  readonly dropped: readonly string[]
}

const without = (lines: readonly string[], others: ReadonlySet<string>): readonly string[] => [
  ...new Set(lines.filter((line) => !others.has(line))),
]

const filledLinesOf = (text: string): string =>
  text
    .split(/[\n\r]/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')

/** True if only blank lines and line ends differ; an indent may be significant. */
export const sameLines = (one: string, other: string): boolean => filledLinesOf(one) === filledLinesOf(other)

/** A moved line is neither added nor dropped. */
export const changedLines = (current: string | undefined, next: string): LineChange => {
  const before = linesOf(current ?? '')
  const after = linesOf(next)
  return { added: without(after, new Set(before)), dropped: without(before, new Set(after)) }
}

const SKILL_HOLDS_CREDENTIAL =
  'It holds a password, a key or a token. Skills are sent to the model, so secrets are never kept in them: keep this one in a password manager, and write only where it is.'

const findingsIn = (text: string): ReadonlySet<string> => new Set(toScanParts(text).flatMap((part) => scanThreats(part, 'context')))

/**
 * A reason if new text contains a credential or a threat, alone or combined with the existing text. Unchanged text is not checked. `before`: the current
 * file, `''` for none.
 */
export const refuseNewSkillText = (before: string, next: string): string | undefined => {
  const added = changedLines(before, next).added.join('\n')
  if (added === '') return undefined
  if (findNewCredentials(before, next)) return SKILL_HOLDS_CREDENTIAL
  const known = findingsIn(before)
  const findings = new Set([...findingsIn(added), ...[...findingsIn(next)].filter((finding) => !known.has(finding))])
  return findings.size === 0 ? undefined : `No skill ever holds such text (${[...findings].sort().join(', ')}). Nothing was written.`
}

/**
 * A reason if new text, or the name of a new folder or file, contains a credential or a threat, alone or combined with the existing text. Unchanged text is
 * not checked.
 */
export const refuseSkillText = ({
  op,
  current,
  next,
}: {
  readonly op: SkillOp
  readonly current: { readonly text: string } | undefined
  readonly next: string | undefined
}): string | undefined => {
  if (next === undefined) return undefined
  const place = newPlace(op, current?.text)
  const ofPlace = place === undefined ? undefined : refuseNewSkillText('', `${place}\n${wordsOfPlace(place)}`)
  return ofPlace ?? refuseNewSkillText(current?.text ?? '', next)
}
