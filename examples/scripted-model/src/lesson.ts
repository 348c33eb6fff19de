/** What a chat about bills teaches: the rules the person laid down, and the sums that worked, as a skill for every later bill. */
import { readBill, standingRules } from './bills.ts'

export interface LessonRule {
  /** The person's words, exactly. */
  readonly quote: string
  readonly messageId: string | undefined
}

export interface Lesson {
  readonly skillName: string
  readonly rules: readonly LessonRule[]
  /** The whole SKILL.md. */
  readonly content: string
}

/** How a share is worked out, as a step of the skill tells it. */
export const SHARE_STEP = /Each share: \S.*/

/** One bill is a task, two are a class of tasks. */
const LEAST_BILLS = 2
const ABOUT_BILLS = /\b(?:round|shares?|total|tip|split|bill|pays?|cents?)\b/i

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The sums with words in place of this chat's numbers; only what was really worked out. */
const toSteps = (sums: readonly string[]): readonly string[] => {
  const shares = sums.flatMap((sum) => /^(ceil|floor|round)\(.+ \/ .+, ?([\d.]+)\)$/.exec(sum) ?? [])
  const [, round, step] = shares.slice(-3)
  return [
    ...(sums.some((sum) => /\* ?\(1 \+/.test(sum)) ? ['With a tip, add it first: amount * (1 + tip / 100)'] : []),
    ...(step === undefined ? [] : [`Each share: ${round}(bill / people, ${step})`]),
    ...(sums.some((sum) => /^[\d.]+ \* \d+$/.test(sum)) ? ['The total: share * people'] : []),
  ]
}

const toContent = (skillName: string, rules: readonly LessonRule[], steps: readonly string[]): string =>
  [
    '---',
    `name: ${skillName}`,
    'description: Split a bill into shares the way the user wants it',
    '---',
    '',
    '# Split bills',
    '',
    'When the user asks to split an amount among people, with or without a tip.',
    '',
    '## Rules',
    '',
    ...rules.map(({ quote }) => `- ${capital(quote)}`),
    '',
    ...(steps.length === 0 ? [] : ['## Steps', '', ...steps.map((step, index) => `${index + 1}. ${step}`), '']),
  ].join('\n')

/** `sums`: what the calculate tool worked out, oldest first. Undefined: nothing that will come again, or nothing that was corrected. */
export const billLesson = (
  said: readonly { readonly id: string | undefined; readonly text: string }[],
  sums: readonly string[],
): Lesson | undefined => {
  if (said.filter(({ text }) => readBill(text) !== undefined).length < LEAST_BILLS) return undefined
  const rules = said.flatMap(({ id, text }) =>
    standingRules(text)
      .filter((quote) => ABOUT_BILLS.test(quote))
      .map((quote): LessonRule => ({ quote, messageId: id })),
  )
  const skillName = 'split-bills'
  return rules.length === 0 ? undefined : { skillName, rules, content: toContent(skillName, rules, toSteps(sums)) }
}
