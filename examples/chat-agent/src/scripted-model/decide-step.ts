/** What the stand-in does next: say something, or call the memory tool. The same prompt always gives the same step. */
import { answerQuestion, isQuestion } from './answer-question.ts'
import { memoryRequest } from './memory-request.ts'
import { MEMORY_TOOL, type MemoryToolInput, toMemoryToolInput } from './memory-tool-input.ts'
import type { ReadPrompt } from './read-prompt.ts'
import { smallTalk } from './small-talk.ts'

export type ScriptedStep =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly toolName: string; readonly input: MemoryToolInput }

const DONE = {
  add: 'Done. I will remember that.',
  replace: 'Done. I changed it.',
  remove: 'Done. I forgot it.',
} as const

const say = (text: string): ScriptedStep => ({ kind: 'say', text })

/** `toolNames`: the tools of the call; without the memory tool it says that it cannot write. */
export const decideStep = (prompt: ReadPrompt, toolNames: readonly string[]): ScriptedStep => {
  if (prompt.lastTool !== undefined) {
    return say(prompt.lastTool.success ? DONE[prompt.lastAction ?? 'add'] : `I could not do that: ${prompt.lastTool.problem}`)
  }
  const text = (prompt.said.at(-1) ?? '').trim()
  const request = memoryRequest(text, prompt.known)
  if (request?.action === 'none') return say(`I remember nothing about "${request.subject}".`)
  if (request !== undefined) {
    if (!toolNames.includes(MEMORY_TOOL)) return say('I cannot write that down: I was given no memory tool.')
    return { kind: 'call', toolName: MEMORY_TOOL, input: toMemoryToolInput(request) }
  }
  if (isQuestion(text)) return say(answerQuestion(text, prompt.known, prompt.said.slice(0, -1)))
  return say(smallTalk(text, prompt.known, prompt.said.length))
}
