/** The stand-in as a model of the OpenAI Agents SDK. */
import { type AgentInputItem, type AssistantMessageItem, type FunctionCallItem, type Model, type ModelRequest, Usage } from '@openai/agents'
import { answerPrompt } from './answer-prompt.ts'
import type { Prompt, ScriptedStep } from './scene.ts'
import { type ToolCall, toToolCall } from './tool-calls.ts'

const itemsOf = ({ input }: ModelRequest): readonly AgentInputItem[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input

const dataOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const saidIn = (item: AgentInputItem): readonly string[] => {
  if (!('role' in item) || item.role !== 'user') return []
  if (typeof item.content === 'string') return [item.content]
  return [item.content.flatMap((part) => (part.type === 'input_text' ? [part.text] : [])).join('\n')]
}

/** A call without a result is left out: nobody knows what came of it. */
const callsOf = (item: AgentInputItem, items: readonly AgentInputItem[]): readonly ToolCall[] => {
  if (item.type !== 'function_call') return []
  const result = items.find((other) => other.type === 'function_call_result' && other.callId === item.callId)
  if (result?.type !== 'function_call_result') return []
  const { output } = result
  const text = typeof output === 'string' ? output : 'text' in output ? output.text : JSON.stringify(output)
  return [toToolCall(item.name, dataOf(item.arguments), dataOf(text))]
}

const toPrompt = (request: ModelRequest): Prompt => {
  const items = itemsOf(request)
  return { system: request.systemInstructions ?? '', chat: items.flatMap((item) => [...saidIn(item), ...callsOf(item, items)]) }
}

const toOutput = (step: ScriptedStep, callId: string): AssistantMessageItem | FunctionCallItem =>
  step.kind === 'say'
    ? { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: step.text }] }
    : { type: 'function_call', callId, name: step.toolName, status: 'completed', arguments: JSON.stringify(step.input) }

const answer = (request: ModelRequest) => {
  const prompt = toPrompt(request)
  const isReview = prompt.chat.some((said) => typeof said === 'string' && said.includes('<conversation>'))
  const toolNames = request.tools.flatMap((tool) => (tool.type === 'function' ? [tool.name] : []))
  return toOutput(answerPrompt(prompt, toolNames, isReview), `call-${itemsOf(request).length}`)
}

/** Deterministic: the same prompt gives the same answer. */
export const scriptedModel = (): Model => ({
  getResponse: async (request) => ({ usage: new Usage({ requests: 1 }), output: [answer(request)] }),
  async *getStreamedResponse(request) {
    const output = answer(request)
    yield { type: 'response_started' }
    if ('role' in output)
      for (const part of output.content) if (part.type === 'output_text') yield { type: 'output_text_delta', delta: part.text }
    yield {
      type: 'response_done',
      response: { id: 'scripted', usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 }, output: [output] },
    }
  },
})
