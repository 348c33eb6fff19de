/** Plays the checks of a skill: the model does each task, without the skill and with a version of it, and its answers are compared with what was expected. */
import { candidateTexts } from '../../model/answer-text.ts'
import type { HostModelRequest } from '../../model/host-model.ts'
import { ok, type Result } from '../../shared/result.ts'
import { type CheckedAnswer, judgeAnswer, type NamedCheck } from './skill-check.ts'

/** What an evaluator asks the model. */
export type SkillQuestion = Pick<HostModelRequest, 'system' | 'messages' | 'schema' | 'maxOutputTokens'>

/** Asks a model. What fails ends the play. */
export type AskModel = (question: SkillQuestion) => Promise<Result<string>>

export interface PlayOptions {
  readonly ask: AskModel
  /** How often each check is played with each version. Default 1. */
  readonly runs?: number
  /** Questions at a time. Default 4. */
  readonly parallel?: number
  /** Called after each answer. */
  readonly onAnswer?: (() => void) | undefined
}

/** The answers to one check, one for each run. */
export interface PlayedCheck {
  readonly check: NamedCheck
  readonly answers: readonly CheckedAnswer[]
}

const MAX_OUTPUT_TOKENS = 1_000

const SCHEMA = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'], additionalProperties: false }

const ROLE =
  'Do the task of the user. There are no tools here, so write commands, code and the contents of files out in full where you would use one. Answer with JSON of the form {"answer": "…"} and nothing else.'

const systemOf = (skill: string | undefined): string =>
  skill === undefined ? ROLE : `${ROLE}\n\nYou have this skill. Follow it wherever it fits the task.\n\n<skill>\n${skill}\n</skill>`

const answerIn = (text: string): string | undefined => {
  try {
    const answer: unknown = Reflect.get(Object(JSON.parse(text)), 'answer')
    return typeof answer === 'string' ? answer : undefined
  } catch {
    return undefined
  }
}

/** Without what the model thought; the whole text if it holds no JSON of the asked form. */
const textOf = (answer: string): string => {
  const texts = candidateTexts(answer)
  return texts.map(answerIn).find((text) => text !== undefined) ?? texts.at(-1) ?? ''
}

/** `skill`: the text of its SKILL.md; undefined: without it. The error of the first question that fails, after those that are under way. */
export const playChecks = async (
  checks: readonly NamedCheck[],
  skill: string | undefined,
  { ask, runs = 1, parallel = 4, onAnswer }: PlayOptions,
): Promise<Result<readonly PlayedCheck[]>> => {
  const system = systemOf(skill)
  const answers = checks.map((): CheckedAnswer[] => [])
  const due = checks.flatMap((check, index) => Array.from({ length: runs }, () => ({ check, index })))
  let failed: Result<never> | undefined
  const work = async (): Promise<void> => {
    for (let next = due.shift(); next && !failed; next = due.shift()) {
      const { check, index } = next
      const messages = [{ role: 'user', content: check.task }] as const
      const answer = await ask({ system, messages, schema: SCHEMA, maxOutputTokens: MAX_OUTPUT_TOKENS })
      if (!answer.ok) failed ??= answer
      else answers[index]?.push(judgeAnswer(check, textOf(answer.value)))
      onAnswer?.()
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(parallel, due.length)) }, work))
  return failed ?? ok(checks.map((check, index) => ({ check, answers: answers[index] ?? [] })))
}

export const countPassed = (played: readonly PlayedCheck[]): number =>
  played.flatMap(({ answers }) => answers).filter(({ passed }) => passed).length
