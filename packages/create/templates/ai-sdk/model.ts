/** OpenAI if OPENAI_API_KEY is set (any provider of the AI SDK works in its place). Otherwise a scripted model, so that the app runs without a key. */
import { openai } from '@ai-sdk/openai'
import { MockLanguageModelV3 } from 'ai/test'

/** Calls the memory tool when told to remember something, and answers everything else with what its prompt says about the user. */
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

export const chosenModel = process.env['OPENAI_API_KEY'] ? openai('gpt-5-mini') : scripted
