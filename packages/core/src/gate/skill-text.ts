/** What a change of a skill makes of the file concerned, and which of its lines are new. Pure. */

import { toScanParts } from '../memory/scan-parts.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { patchSkillText } from '../skills/skill-patch.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import { scanThreats } from '../threats/scan.ts'

/** The file's text afterwards; `undefined` where the change writes none. A patch that does not fit is taken for its new text alone. */
export const nextSkillText = (op: SkillOp, current: string | undefined): string | undefined => {
  if (op.action === 'archive' || op.action === 'remove_file') return undefined
  if (op.action !== 'patch') return op.content
  const { oldText, newText, replaceAll = false } = op
  const patched = patchSkillText(current ?? '', { oldText, newText, replaceAll })
  return patched.ok ? patched.value.result : newText
}

export interface LineChange {
  /** Lines that were not there before, trimmed, in their order. */
  readonly added: readonly string[]
  /** Lines that are not there any more. */
  readonly dropped: readonly string[]
}

const linesOf = (text: string): readonly string[] =>
  text
    .split(/[\n\r\u2028\u2029\u0085]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

const without = (lines: readonly string[], others: ReadonlySet<string>): readonly string[] => [
  ...new Set(lines.filter((line) => !others.has(line))),
]

const filledLinesOf = (text: string): string =>
  text
    .split(/[\n\r]/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')

/** True where nothing but blank lines and the ends of lines differ; an indent may mean something. */
export const sameLines = (one: string, other: string): boolean => filledLinesOf(one) === filledLinesOf(other)

/** A line that only moved is neither new nor gone. */
export const changedLines = (current: string | undefined, next: string): LineChange => {
  const before = linesOf(current ?? '')
  const after = linesOf(next)
  return { added: without(after, new Set(before)), dropped: without(before, new Set(after)) }
}

// What no gate is asked about: credentials in a skill, and text that tries to steer or spy on the agent. Only what is new counts.

const SKILL_HOLDS_CREDENTIAL =
  'It holds a password, a key or a token. Skills are sent to the model, so secrets are never kept in them: keep this one in a password manager, and write only where it is.'

const findingsIn = (text: string): ReadonlySet<string> => new Set(toScanParts(text).flatMap((part) => scanThreats(part, 'context')))

/** A reason where new text holds a credential or a threat, alone or together with what is there already. `before`: the file as it is, `''` for none. */
export const refuseNewSkillText = (before: string, next: string): string | undefined => {
  const added = changedLines(before, next).added.join('\n')
  if (added === '') return undefined
  if (findNewCredentials(before, next)) return SKILL_HOLDS_CREDENTIAL
  const known = findingsIn(before)
  const findings = new Set([...findingsIn(added), ...[...findingsIn(next)].filter((finding) => !known.has(finding))])
  return findings.size === 0 ? undefined : `No skill ever holds such text (${[...findings].sort().join(', ')}). Nothing was written.`
}
