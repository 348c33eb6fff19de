/** What the stand-in does next: say something, or call a tool. The same prompt always gives the same step. */
import { answerQuestion, isQuestion } from './answer-question.ts'
import { decideBillStep } from './decide-bill-step.ts'
import { decideMemoryStep } from './decide-memory-step.ts'
import { decidePageStep } from './decide-page-step.ts'
import { decideSkillChangeStep } from './decide-skill-change-step.ts'
import { decideSkillStep } from './decide-skill-step.ts'
import { decideSumStep } from './decide-sum-step.ts'
import { decideTimeStep } from './decide-time-step.ts'
import type { ReadPrompt } from './read-prompt.ts'
import { type Decider, type ScriptedStep, say } from './scripted-step.ts'
import { smallTalk } from './small-talk.ts'
import { standingRules } from './standing-rules.ts'

const acceptRule: Decider = ({ text }) => (standingRules(text).length > 0 ? say('Understood. I will keep to that.') : undefined)

/** The first that knows what to do decides. */
const DECIDERS: readonly Decider[] = [
  decidePageStep,
  decideSkillChangeStep,
  decideMemoryStep,
  decideTimeStep,
  decideBillStep,
  decideSumStep,
  decideSkillStep,
  acceptRule,
]

/** `toolNames`: the tools of the call. */
export const decideStep = (prompt: ReadPrompt, toolNames: readonly string[]): ScriptedStep => {
  const { known, said } = prompt
  const text = (said.at(-1) ?? '').trim()
  for (const decide of DECIDERS) {
    const step = decide({ ...prompt, text, toolNames })
    if (step !== undefined) return step
  }
  if (isQuestion(text)) return say(answerQuestion(text, known, said.slice(0, -1)))
  return say(smallTalk(text, known, said.length))
}
