/** What the stand-in does about a prompt: it takes a turn of the chat, or plays the reviewer. */
import { decideStep } from './decide-step.ts'
import { playReviewer } from './play-reviewer.ts'
import { type Prompt, readPrompt, type ScriptedStep, say } from './scene.ts'

/** Deterministic: the same prompt gives the same step. `toolNames`: the tools that may be called. */
export const answerPrompt = (prompt: Prompt, toolNames: readonly string[], isReview: boolean): ScriptedStep => {
  const read = readPrompt(prompt)
  return isReview ? say(playReviewer(read.said)) : decideStep(read, toolNames)
}
