/** The adapter for the AI SDK: with a session, a Hermes and homes, by `generateText` and `streamText`. */
import { hermesMiddleware, hermesTools } from '@hermes/ai-sdk'
import { createHermes, createHermesHomes } from '@hermes/core'
import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, type ToolSet, tool, wrapLanguageModel } from 'ai'
import type { Attachment, HostTool, NestedCall, UserMessage, WindowMessage } from '../scene.ts'
import { scriptedAiModel } from './scripted-ai-model.ts'
import { INSTRUCTIONS, nextId, OWNER, type PlayOn, SESSION_ID } from './surface.ts'

const MOST_STEPS = 10
/** The tools take anything. */
const ANYTHING = jsonSchema<Record<string, unknown>>({ type: 'object', additionalProperties: true })

const attached = ({ name, mediaType, text }: Attachment) =>
  ({ type: 'file', filename: name, mediaType, data: new TextEncoder().encode(text ?? 'pixels') }) as const

const ofUser = ({ text, attachments = [] }: UserMessage): ModelMessage => ({
  role: 'user',
  content: attachments.length === 0 ? text : [{ type: 'text', text }, ...attachments.map(attached)],
})

const inWindow = (message: WindowMessage): readonly ModelMessage[] => {
  if (message.role !== 'tool') return [{ role: message.role, content: message.text }]
  const about = { toolCallId: nextId(), toolName: message.name }
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...about, input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', ...about, output: { type: 'text', value: message.text } }] },
  ]
}

const playAiSdk =
  (target: 'session' | 'hermes' | 'homes', streams: boolean): PlayOn =>
  async ({ scene, reviewer, knowledge, options, begin }) => {
    const homes = target === 'homes' ? createHermesHomes(options) : undefined
    const hermes = homes?.for(OWNER) ?? createHermes(options)
    await begin(hermes)
    const served = homes ?? (target === 'hermes' ? hermes : hermes.session(SESSION_ID))
    const { model: inner, script } = scriptedAiModel(reviewer, knowledge)
    const model = wrapLanguageModel({ model: inner, middleware: hermesMiddleware(served) })
    const named = { ...(homes ? { user: OWNER } : {}), sessionId: SESSION_ID }
    const providerOptions = target === 'session' ? {} : { hermes: named }

    const own: ToolSet = scene.ownTools === false ? {} : hermesTools(served)
    const toTool = ({ description, copies, run }: HostTool) => {
      const execute = () => run(ask)
      const copied = copies === undefined ? undefined : own[copies]
      return copied === undefined ? tool({ description, inputSchema: ANYTHING, execute }) : ({ ...copied, execute } as ToolSet[string])
    }
    const mine: ToolSet = Object.fromEntries((scene.tools ?? []).map((each) => [each.name, toTool(each)]))

    const call = async (system: string | undefined, messages: readonly ModelMessage[], tools: ToolSet, byStream: boolean) => {
      const about = {
        model,
        messages: [...messages],
        tools,
        stopWhen: stepCountIs(MOST_STEPS),
        providerOptions,
        ...(system === undefined ? {} : { system }),
      }
      if (!byStream) {
        const { text, responseMessages } = await generateText(about)
        return { text, added: responseMessages }
      }
      const result = streamText(about)
      await result.consumeStream()
      return { text: await result.text, added: await result.responseMessages }
    }

    const ask = async ({ system, messages, steps, streams: byStream = false, ownTools = false }: NestedCall): Promise<string> => {
      script.unshift(...steps)
      return (await call(system, messages.flatMap(inWindow), ownTools ? { ...own, ...mine } : mine, byStream)).text
    }

    let history: readonly ModelMessage[] = []
    for (const turn of scene.turns) {
      await turn.meanwhile?.(hermes)
      const prompt = [...(turn.forgets ? [] : history), ...(turn.window ?? []).flatMap(inWindow), ofUser(turn.user)]
      script.splice(0, script.length, ...turn.steps)
      const { added } = await call(scene.instructions ?? INSTRUCTIONS, prompt, { ...own, ...mine }, streams)
      history = [...prompt, ...added]
      await hermes.settled()
    }
    return hermes
  }

export const AI_SDK = {
  'ai-sdk: session, generate': playAiSdk('session', false),
  'ai-sdk: session, stream': playAiSdk('session', true),
  'ai-sdk: hermes, generate': playAiSdk('hermes', false),
  'ai-sdk: homes, stream': playAiSdk('homes', true),
} as const
