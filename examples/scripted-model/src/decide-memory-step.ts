/** What to remember, change or forget goes to the memory tool. */
import { memoryRequest } from './memory-request.ts'
import { MEMORY_TOOL, readMemoryToolInput, toMemoryToolInput } from './memory-tool-input.ts'
import { type Decider, say } from './scripted-step.ts'

const DONE = {
  add: 'Done. I will remember that.',
  replace: 'Done. I changed it.',
  remove: 'Done. I forgot it.',
} as const

export const decideMemoryStep: Decider = ({ text, known, calls, toolNames }) => {
  const last = calls.findLast(({ toolName }) => toolName === MEMORY_TOOL)
  if (last !== undefined) {
    return say(last.success ? DONE[readMemoryToolInput(last.input)?.action ?? 'add'] : `I could not do that: ${last.problem}`)
  }
  const request = memoryRequest(text, known)
  if (request === undefined) return undefined
  if (request.action === 'none') return say(`I remember nothing about "${request.subject}".`)
  if (!toolNames.includes(MEMORY_TOOL)) return say('I cannot write that down: I was given no memory tool.')
  return { kind: 'call', toolName: MEMORY_TOOL, input: toMemoryToolInput(request) }
}
