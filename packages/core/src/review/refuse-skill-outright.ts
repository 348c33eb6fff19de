/** What no gate is asked about: skill texts too long to be one, credentials, and text that tries to steer or spy on the agent. Only what is new counts. */
import { changedLines } from '../gate/skill-text.ts'
import { holdsCredential } from '../memory/credential-patterns.ts'
import { toScanParts } from '../memory/scan-parts.ts'
import { scanThreats } from '../memory/threat-scan.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { MAX_SKILL_CHARS } from '../skills/skill-document.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import type { SkillPlan } from './skill-plan.ts'

const textsOf = (op: SkillOp): readonly string[] => ('content' in op ? [op.content] : op.action === 'patch' ? [op.oldText, op.newText] : [])

/** `over_limit` where a text is longer than any file of a skill may be; cheap, however long it is. */
export const skillTextTooLong = (op: SkillOp): HermesError | undefined => {
  const chars = Math.max(0, ...textsOf(op).map(({ length }) => length))
  // UTF-16 units: so many code points take at most twice as many. The store counts exactly.
  if (chars <= 2 * MAX_SKILL_CHARS) return undefined
  const message = `This text has ${chars.toLocaleString('en')} characters; a file of a skill holds at most ${MAX_SKILL_CHARS.toLocaleString('en')}. Split it into support files.`
  return new HermesError('over_limit', message, { details: { chars, maxChars: MAX_SKILL_CHARS } })
}

export const SKILL_HOLDS_CREDENTIAL =
  'It holds a password, a key or a token. Skills are sent to the model, so secrets are never kept in them: keep this one in a password manager, and write only where it is.'

const findingsIn = (text: string): ReadonlySet<string> => new Set(toScanParts(text).flatMap((part) => scanThreats(part, 'context')))

/** A reason where new text holds a credential or a threat, alone or together with what stands there already. */
export const refuseSkillText = ({ current, next }: Pick<SkillPlan, 'current' | 'next'>): string | undefined => {
  if (next === undefined) return undefined
  const before = current?.text ?? ''
  const added = changedLines(before, next).added.join('\n')
  if (added === '') return undefined
  if (holdsCredential(added) || (holdsCredential(next) && !holdsCredential(before))) return SKILL_HOLDS_CREDENTIAL
  const known = findingsIn(before)
  const findings = new Set([...findingsIn(added), ...[...findingsIn(next)].filter((finding) => !known.has(finding))])
  return findings.size === 0 ? undefined : `No skill ever holds such text (${[...findings].sort().join(', ')}). Nothing was written.`
}
