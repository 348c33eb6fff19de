/** What the model reads after a skill_manage call: texts are not echoed on success, and a near duplicate is shown before it is made. Pure. */
import type { SkillOpOutcome } from '../skills/skill-op.ts'
import { cutText, shownText } from './shown-text.ts'
import { SKILL_WRITE_FAILURES } from './skill-failure.ts'
import { describeSkillRefusal } from './skill-refusal.ts'
import type { SimilarSkillHint, SkillWriteReply } from './skill-tool-effects.ts'
import type { SkillManageSuccess, SkillManageToolResult, ToolRefusal } from './tool-results.ts'

/** Code points. */
const MAX_DESCRIPTION_CHARS = 200

const WHEN_SHOWN: Partial<Record<SkillOpOutcome['action'], string>> = {
  create: ' Your prompt names it from the next session on; it can be listed and loaded at once.',
  archive: ' A person can restore it.',
}

const describeApplied = ({ action, name, path, filePath, message }: SkillOpOutcome): SkillManageSuccess => ({
  success: true,
  done: true,
  action,
  name: shownText(name),
  path: shownText(path),
  file_path: shownText(filePath),
  message: `${shownText(message)} It is done; do not repeat the call.${WHEN_SHOWN[action] ?? ''}`,
})

/** What can be done instead of a patch. */
const SHARED_HINT = ' One marked shared cannot be changed: where it needs a change, create yours under its name, with the whole text.'

const describeSimilar = (skills: readonly SimilarSkillHint[]): ToolRefusal => ({
  success: false,
  done: false,
  code: 'similar',
  error:
    'Nothing was saved: there are skills much like it. Load the nearest; if it serves the same class of task, patch it, or edit it, instead. Only where yours is really for something else, call again with create_anyway: true.' +
    (skills.some(({ shared }) => shared) ? SHARED_HINT : ''),
  similar: skills.map(({ name, description, path, shared = false }) => ({
    name: shownText(name),
    path: shownText(path),
    description: shownText(cutText(description, MAX_DESCRIPTION_CHARS)),
    ...(shared ? { shared } : {}),
  })),
})

const describeHeld = ({ reason, pendingId }: Extract<SkillWriteReply, { kind: 'held' }>): ToolRefusal => ({
  success: false,
  done: true,
  held: true,
  error: `Nothing is saved yet: this change waits until a person approves it (${reason}). Do not retry it, reword it or save it in another way; go on with the task.`,
  ...(pendingId === undefined ? {} : { pending_id: pendingId }),
})

export const describeSkillReply = (reply: SkillWriteReply): SkillManageToolResult => {
  switch (reply.kind) {
    case 'applied':
      return describeApplied(reply.outcome)
    case 'similar':
      return describeSimilar(reply.skills)
    case 'held':
      return describeHeld(reply)
    case 'refused':
      return describeSkillRefusal(SKILL_WRITE_FAILURES, reply)
  }
}
