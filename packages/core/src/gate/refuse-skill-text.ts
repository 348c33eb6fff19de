/** What no gate is asked about: credentials in a skill, and text that tries to steer or spy on the agent. Only what is new counts. Pure. */

import { toScanParts } from '../memory/scan-parts.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import { scanThreats } from '../threats/threat-scan.ts'
import { changedLines } from './skill-text.ts'

const SKILL_HOLDS_CREDENTIAL =
  'It holds a password, a key or a token. Skills are sent to the model, so secrets are never kept in them: keep this one in a password manager, and write only where it is.'

const findingsIn = (text: string): ReadonlySet<string> => new Set(toScanParts(text).flatMap((part) => scanThreats(part, 'context')))

/** A reason where new text holds a credential or a threat, alone or together with what stands there already. `before`: the file as it is, `''` for none. */
export const refuseNewSkillText = (before: string, next: string): string | undefined => {
  const added = changedLines(before, next).added.join('\n')
  if (added === '') return undefined
  if (findNewCredentials(before, next)) return SKILL_HOLDS_CREDENTIAL
  const known = findingsIn(before)
  const findings = new Set([...findingsIn(added), ...[...findingsIn(next)].filter((finding) => !known.has(finding))])
  return findings.size === 0 ? undefined : `No skill ever holds such text (${[...findings].sort().join(', ')}). Nothing was written.`
}
