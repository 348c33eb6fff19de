/** The adapter for the OpenAI Agents SDK: with a session by whole answers, and with homes by streams. */
import { createHermes, createHermesHomes } from '@hermes/core'
import { hermesTools, runWithHermes, withHermes } from '@hermes/openai-agents'
import {
  Agent,
  type AgentInputItem,
  type FunctionTool,
  type Model,
  type ModelRequest,
  run,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents'
import { type Knowledge, plainText } from '../knowledge.ts'
import type { Reviewer } from '../reviewer.ts'
import type { Attachment, HostTool, NestedCall, Step, UserMessage, WindowMessage } from '../scene.ts'
import { INSTRUCTIONS, nextId, OWNER, type PlayOn, SESSION_ID } from './surface.ts'

const ANYTHING = { type: 'object', properties: {}, required: [], additionalProperties: true } as const
const USAGE = { requests: 1, inputTokens: 9, outputTokens: 3, totalTokens: 12 }

const attached = ({ name, mediaType, text = 'pixels' }: Attachment) =>
  ({ type: 'input_file', filename: name, file: `data:${mediaType};base64,${btoa(unescape(encodeURIComponent(text)))}` }) as const

const ofUser = ({ text, attachments = [] }: UserMessage): AgentInputItem => ({
  type: 'message',
  role: 'user',
  content: attachments.length === 0 ? text : [{ type: 'input_text', text }, ...attachments.map(attached)],
})

const saying = (text: string, providerData?: Record<string, unknown>): AgentInputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, ...(providerData ? { providerData } : {}) }],
})

const inWindow = (message: WindowMessage): readonly AgentInputItem[] => {
  if (message.role === 'user') return [ofUser(message)]
  if (message.role === 'assistant') return [saying(message.text)]
  const about = { callId: nextId(), name: message.name, status: 'completed' } as const
  return [
    { type: 'function_call', ...about, arguments: '{}' },
    { type: 'function_call_result', ...about, output: { type: 'text', text: message.text } },
  ]
}

const outputOf = (step: Step): AgentInputItem[] => {
  if (step.kind === 'call')
    return [
      { type: 'function_call', callId: step.id ?? nextId(), name: step.name, status: 'completed', arguments: JSON.stringify(step.input) },
    ]
  if (step.kind === 'provider-call')
    return [{ type: 'hosted_tool_call', name: `${step.name}_call`, status: 'completed', output: step.result }, saying(step.text)]
  const annotations = step.sources?.map((title) => ({ type: 'url_citation', title, url: 'https://kelp.example' }))
  return [
    saying(step.text, { ...(annotations ? { annotations } : {}), ...(step.metadata === undefined ? {} : { grounding: step.metadata }) }),
  ]
}

const requestOf = ({ systemInstructions, input, tools }: ModelRequest): string =>
  [systemInstructions, input, tools].map(plainText).join('\n')

/** Answers the steps of the script, one call each; a nested call puts its steps in front. */
const scripted = (script: Step[], reviewer: Reviewer, knowledge: Knowledge): Model => {
  const answer = (request: ModelRequest): AgentInputItem[] => {
    if (!request.tracing && request.modelSettings.maxTokens !== undefined) return [saying(reviewer.answer(requestOf(request)))]
    knowledge.see(requestOf(request))
    return outputOf(knowledge.stepOf(script.shift() ?? { kind: 'say', text: 'Fine.' }))
  }
  return {
    getResponse: async (request) => ({ usage: new Usage(USAGE), output: answer(request) }),
    async *getStreamedResponse(request) {
      yield { type: 'response_started' }
      yield { type: 'response_done', response: { id: nextId(), usage: USAGE, output: answer(request) } } as never
    },
  }
}

const play =
  (target: 'session' | 'homes', streams: boolean): PlayOn =>
  async ({ scene, reviewer, knowledge, options, begin }) => {
    setTracingDisabled(true)
    const homes = target === 'homes' ? createHermesHomes(options) : undefined
    const hermes = homes?.for(OWNER) ?? createHermes(options)
    await begin(hermes)
    const served = homes ?? hermes.session(SESSION_ID)
    const script: Step[] = []
    const model = withHermes(scripted(script, reviewer, knowledge), served)

    const own: FunctionTool[] = scene.ownTools === false ? [] : hermesTools(served)
    const toTool = ({ name, description, copies, run: work }: HostTool): FunctionTool => {
      const copied = own.find((each) => each.name === copies)
      if (copied !== undefined) return { ...copied, invoke: () => work(ask) }
      return tool({ name, description, strict: false, parameters: ANYTHING as never, execute: () => work(ask) }) as FunctionTool
    }
    const mine = (scene.tools ?? []).map(toTool)
    const all = [...own.filter(({ name }) => !mine.some((each) => each.name === name)), ...mine]

    const call = (instructions: string, input: readonly AgentInputItem[], tools: FunctionTool[], byStream: boolean) =>
      runWithHermes(homes ? { user: OWNER, sessionId: SESSION_ID } : {}, async () => {
        const agent = new Agent({ name: 'host', instructions, model, tools })
        if (!byStream) return run(agent, [...input])
        const result = await run(agent, [...input], { stream: true })
        for await (const _ of result);
        await result.completed
        return result
      })

    const ask = async ({ system = '', messages, steps, streams: byStream = false, ownTools = false }: NestedCall): Promise<string> => {
      script.unshift(...steps)
      return String((await call(system, messages.flatMap(inWindow), ownTools ? all : mine, byStream)).finalOutput)
    }

    let history: readonly AgentInputItem[] = []
    for (const turn of scene.turns) {
      await turn.meanwhile?.(hermes)
      const prompt = [...(turn.forgets ? [] : history), ...(turn.window ?? []).flatMap(inWindow), ofUser(turn.user)]
      script.splice(0, script.length, ...turn.steps)
      history = (await call(scene.instructions ?? INSTRUCTIONS, prompt, all, streams)).history
      await hermes.settled()
    }
    return hermes
  }

export const OPENAI_AGENTS = {
  'openai-agents: session, run': play('session', false),
  'openai-agents: homes, stream': play('homes', true),
} as const
