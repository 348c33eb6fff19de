/** What the stand-in does next: say something, or call a tool. The same prompt always gives the same step. */
import { standingRules } from './bills.ts'
import { decideBillStep } from './decide-bill.ts'
import { decideReadStep, decideSumStep, decideTimeStep } from './decide-lookup.ts'
import { decideMemoryStep } from './decide-memory.ts'
import { decideSkillChangeStep, decideSkillStep } from './decide-skill.ts'
import { type Decider, type ReadPrompt, type ScriptedStep, say } from './scene.ts'
import { answerQuestion, isQuestion, smallTalk } from './talk.ts'

const acceptRule: Decider = ({ text }) => (standingRules(text).length > 0 ? say('Understood. I will keep to that.') : undefined)

/** The first that knows what to do decides. */
const DECIDERS: readonly Decider[] = [
  decideReadStep,
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
  const { known, said, recalled } = prompt
  const text = (said.at(-1) ?? '').trim()
  for (const decide of DECIDERS) {
    const step = decide({ ...prompt, text, toolNames })
    if (step !== undefined) return step
  }
  if (isQuestion(text)) return say(answerQuestion(text, { known, recalled, said: said.slice(0, -1) }))
  return say(smallTalk(text, { known, said }))
}
