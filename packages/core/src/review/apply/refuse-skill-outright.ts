/** What no gate is asked about: skill texts too long to be one, credentials, and text that tries to steer or spy on the agent. Only what is new counts. */

import { newPlace, wordsOfPlace } from '../../gate/skill-place.ts'
import { refuseNewSkillText } from '../../gate/skill-text.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { MAX_SKILL_CHARS } from '../../skills/skill-document.ts'
import type { SkillOp } from '../../skills/skill-op.ts'
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

/** A reason where new text, or the name of a new folder or file, holds a credential or a threat, alone or together with what stands there already. */
export const refuseSkillText = ({ op, current, next }: Pick<SkillPlan, 'op' | 'current' | 'next'>): string | undefined => {
  if (next === undefined) return undefined
  const place = newPlace(op, current?.text)
  const ofPlace = place === undefined ? undefined : refuseNewSkillText('', `${place}\n${wordsOfPlace(place)}`)
  return ofPlace ?? refuseNewSkillText(current?.text ?? '', next)
}
