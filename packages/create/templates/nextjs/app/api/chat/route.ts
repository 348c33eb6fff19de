import { openai } from '@ai-sdk/openai'
import { hermesTools, withHermes } from '@hermes/ai-sdk'
import { createHermesHomes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { convertToModelMessages, simulateStreamingMiddleware, stepCountIs, streamText, type UIMessage, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'

/** Answers without a key: calls the memory tool when told to remember something, and says what its prompt knows about the user to everything else. */
const scripted = new MockLanguageModelV3({
  doGenerate: async ({ prompt, tools }) => {
    const last = prompt.at(-1)
    const asked = last?.role === 'user' ? last.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : ''
    const [, fact] = /remember that (.+)/i.exec(asked) ?? []
    const system = prompt.map(({ role, content }) => (role === 'system' ? content : '')).join('')
    const [, known] = /USER PROFILE.*\n═+\n([\s\S]+?)(?:\n\n|$)/.exec(system) ?? []

    const input = JSON.stringify({ action: 'add', target: 'user', content: `The user says: ${fact}` })
    const say = (text: string) => ({ type: 'text' as const, text })
    const content = !tools?.length
      ? say('{"proposals":[]}') // a review, which calls no tools
      : fact
        ? { type: 'tool-call' as const, toolCallId: 'call', toolName: 'memory', input }
        : say(last?.role === 'tool' ? 'I will remember that.' : `From my memory: ${known ?? 'nothing yet'}`)
    return {
      content: [content],
      finishReason: { unified: fact ? 'tool-calls' : 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 0, text: 0, reasoning: 0 },
      },
      warnings: [],
    }
  },
})

const chosenModel = process.env['OPENAI_API_KEY']
  ? openai('gpt-5-mini') // or any other model of the AI SDK
  : wrapLanguageModel({ model: scripted, middleware: simulateStreamingMiddleware() })

const homes = createHermesHomes({ storage: fileSystemBackend(process.env['HERMES_HOME'] ?? './memory') })
const model = withHermes(chosenModel, homes)
const tools = hermesTools(homes)

export const POST = async (request: Request): Promise<Response> => {
  const user = 'me' // take it from your sign-in, never from the request's body
  const { id, messages }: { id: string; messages: UIMessage[] } = await request.json()
  const result = streamText({
    model,
    tools,
    messages: await convertToModelMessages(messages),
    stopWhen: stepCountIs(5),
    providerOptions: { hermes: { user, sessionId: id } },
  })
  return result.toUIMessageStreamResponse()
}
