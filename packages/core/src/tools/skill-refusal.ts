/** What the model reads of a skill call that was refused: what was wrong, what there is instead, and whether another call makes sense. */
import { describeFailure, type FailureSubject, type Refusal } from './describe-failure.ts'
import { shownText } from './shown-text.ts'
import type { ToolRefusal } from './tool-results.ts'

/** Names listed of one kind. */
const MAX_LISTED = 50

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string').slice(0, MAX_LISTED) : []

export const describeSkillRefusal = (subject: FailureSubject, refusal: Refusal): ToolRefusal => {
  const { code, message, details = {} } = refusal
  const failure = describeFailure(subject, refusal)
  const candidates = texts(details['candidates'])
  const files = texts(details['files'])
  return {
    success: false,
    done: failure !== undefined,
    code,
    // Messages quote from files, and what the scan keeps out of sight must not come in by an error.
    error: shownText(failure ?? message),
    ...(candidates.length > 0 ? { candidates: candidates.map(shownText) } : {}),
    ...(files.length > 0 ? { files: files.map(shownText) } : {}),
  }
}
