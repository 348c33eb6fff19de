/** The reviewer's part about skills: a new one for what the chat taught, or a line more in the one that is there. */
import { billLesson, type Lesson, type LessonRule, SHARE_STEP } from './lesson.ts'
import type { SaidMessage, SkillLibrary } from './review-request.ts'
import { closestSkill } from './words.ts'

const SURE = 0.9

const NO_TEXT = { category: null, filePath: null, content: null, oldText: null, newText: null } as const

const toProposal = (op: Readonly<Record<string, string | null>>, rules: readonly LessonRule[], rationale: string) => ({
  target: 'skill',
  op: { ...NO_TEXT, ...op },
  rationale,
  score: SURE,
  evidence: rules.map(({ messageId, quote }) => ({ messageId: messageId ?? null, quote })),
})

const isIn =
  (content: string) =>
  ({ quote }: LessonRule): boolean =>
    content.toLowerCase().includes(quote.toLowerCase())

/** The rules go below the last one that is there; a share worked out in another way goes where the old way stood. */
const patchOf = (content: string, fresh: readonly LessonRule[], lesson: Lesson): { oldText: string; newText: string } => {
  const lines = content.trimEnd().split('\n')
  const last = lines.findLast((line) => line.startsWith('- ')) ?? lines.at(-1) ?? ''
  const oldText = lines.slice(lines.lastIndexOf(last)).join('\n')
  const step = SHARE_STEP.exec(lesson.content)?.[0]
  const rest = oldText.slice(last.length)
  const newRest = step === undefined ? rest : rest.replace(SHARE_STEP, () => step)
  const added = fresh.map(({ quote }) => `- ${quote.slice(0, 1).toUpperCase()}${quote.slice(1)}`)
  return newRest === rest
    ? { oldText: last, newText: [last, ...added].join('\n') }
    : { oldText, newText: [last, ...added].join('\n') + newRest }
}

/** A skill that is there and may not be changed is left alone, and so is what it says already. */
export const proposeSkill = (said: readonly SaidMessage[], sums: readonly string[], { listed, full }: SkillLibrary) => {
  const lesson = billLesson(said, sums)
  if (lesson === undefined) return []
  const { skillName, rules, content } = lesson
  const known = closestSkill('split a bill into shares', listed)
  if (known === undefined) {
    return [
      toProposal({ action: 'create', name: skillName, content }, rules, 'The person corrected how bills are split, and bills come again.'),
    ]
  }
  const text = full.get(known.name)
  const fresh = text === undefined ? [] : rules.filter((rule) => !isIn(text)(rule))
  if (text === undefined || fresh.length === 0) return []
  return [toProposal({ action: 'patch', name: known.name, ...patchOf(text, fresh, lesson) }, fresh, 'The person corrected it again.')]
}
