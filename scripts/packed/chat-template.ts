/**
 * A Next.js chat with tools of its own, as the public templates for the AI SDK are written, and Hermes in it. The same text for `ai` 5, 6
 * and 7, and nothing in it is cast.
 */

const TOOLS = `
import { hermesTools } from '@hermes/ai-sdk'
import type { Session } from '@hermes/core'
import { type InferUITools, tool, type ToolSet, type UIMessage, type UIMessageStreamWriter } from 'ai'
import { z } from 'zod'

export const getWeather = tool({
  description: 'The weather of a place',
  inputSchema: z.object({ latitude: z.number(), longitude: z.number() }),
  execute: async ({ latitude, longitude }) => ({ degrees: Math.round(latitude + longitude) }),
})

export const createDocument = (writer: UIMessageStreamWriter<ChatMessage>) =>
  tool({
    description: 'Writes a document',
    inputSchema: z.object({ title: z.string(), kind: z.enum(['text', 'code']) }),
    execute: async ({ title, kind }) => {
      writer.write({ type: 'data-title', data: title, transient: true })
      return { title, kind }
    },
  })

export const toolsOf = (session: Session) => ({ getWeather, ...hermesTools(session) }) satisfies ToolSet

export type ChatTools = InferUITools<ReturnType<typeof toolsOf>>
export interface Metadata { readonly createdAt: string }
export type ChatMessage = UIMessage<Metadata, { title: string }, ChatTools>
`

const ROUTE = `
import { hermesTools, withHermes } from '@hermes/ai-sdk'
import { createHermesHomes, inMemoryBackend } from '@hermes/core'
import { convertToModelMessages, createUIMessageStream, createUIMessageStreamResponse, generateText, stepCountIs, streamText, type ToolSet, type wrapLanguageModel } from 'ai'
import { type ChatMessage, createDocument, getWeather, toolsOf } from '../lib/tools.ts'

const homes = createHermesHomes({ storage: inMemoryBackend() })
declare const openai: (id: string) => Parameters<typeof wrapLanguageModel>[0]['model']
const model = withHermes(openai('gpt-5'), homes)
const mine = { getWeather }

export const POST = async (request: Request): Promise<Response> => {
  const { id, messages }: { id: string; messages: ChatMessage[] } = await request.json()
  const session = homes.for('alice').session(id)
  const result = streamText({
    model,
    tools: { ...mine, ...hermesTools(session) },
    messages: await convertToModelMessages(messages),
    stopWhen: stepCountIs(5),
    providerOptions: { hermes: { user: 'alice', sessionId: id } },
  })
  return result.toUIMessageStreamResponse({ originalMessages: messages })
}

export const PUT = async (request: Request): Promise<Response> => {
  const { id, messages }: { id: string; messages: ChatMessage[] } = await request.json()
  const session = homes.for('alice').session(id)
  const stream = createUIMessageStream<ChatMessage>({
    execute: async ({ writer }) => {
      const result = streamText({
        model,
        system: 'You are a friendly assistant.',
        messages: await convertToModelMessages(messages),
        tools: { createDocument: createDocument(writer), ...toolsOf(session) },
        activeTools: ['createDocument', 'getWeather', 'memory', 'skill_view'],
        stopWhen: [stepCountIs(5), ({ steps }) => steps.some(({ toolCalls }) => toolCalls.some(({ toolName }) => toolName === 'skill_manage'))],
      })
      writer.merge(result.toUIMessageStream<ChatMessage>({ sendReasoning: true }))
    },
  })
  return createUIMessageStreamResponse({ stream })
}

export const named: ToolSet = hermesTools(homes, { prefix: 'my_' })
export const inPart: ToolSet = { ...mine, ...hermesTools(homes, { only: ['memory', 'skill_view'] }) }

export const remember = async (prompt: string): Promise<readonly string[]> => {
  const { toolCalls, toolResults } = await generateText({ model, tools: { ...mine, ...hermesTools(homes) }, prompt })
  const outputs = toolResults.map((result) => (result.dynamic || result.toolName !== 'memory' ? '' : result.output.success ? result.output.usage : result.output.error))
  return toolCalls.map((call) => {
    if (call.dynamic) return call.toolName
    if (call.toolName === 'memory') return call.input.content ?? call.input.action ?? ''
    return call.toolName === 'getWeather' ? call.input.latitude.toFixed() : call.toolName
  }).concat(outputs)
}
`

const CHAT = `
'use client'

import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, type InferUITool, lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from 'ai'
import type { ChatMessage, ChatTools, getWeather, toolsOf } from '../lib/tools.ts'

type Equal<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false

/** Fails to compile if the types of a tool become \`any\` or \`never\`. */
export const inferred: readonly [
  Equal<ChatTools['memory']['input']['target'], 'memory' | 'user' | 'project' | null | undefined>,
  Equal<ChatTools['skills_list']['input']['category'], string | null | undefined>,
  Equal<ChatTools['memory']['output']['success'], boolean>,
  Equal<ChatTools['getWeather'], InferUITool<typeof getWeather>>,
  Equal<keyof ChatTools, 'getWeather' | 'memory' | 'skills_list' | 'skill_view' | 'skill_manage'>,
  Equal<ChatTools['skill_view'], InferUITool<ReturnType<typeof toolsOf>['skill_view']>>,
] = [true, true, true, true, true, true]

const Part = ({ part }: { readonly part: ChatMessage['parts'][number] }) => {
  switch (part.type) {
    case 'text':
      return <p>{part.text}</p>
    case 'data-title':
      return <h1>{part.data}</h1>
    case 'tool-getWeather':
      return part.state === 'output-available' ? <p>{part.output.degrees.toFixed()}</p> : <p>{part.input?.latitude}</p>
    case 'tool-memory':
      if (part.state === 'output-error') return <p>{part.errorText}</p>
      if (part.state !== 'output-available') return <p>{part.input?.action}</p>
      return <p>{part.output.success ? part.output.entry_count.toFixed() : part.output.error}</p>
    case 'tool-skill_view':
      return part.state === 'output-available' && part.output.success ? <p>{part.output.path}</p> : null
    case 'tool-skills_list':
      return part.state === 'output-available' && part.output.success ? <p>{part.output.skills.map(({ name }) => name)}</p> : null
    case 'tool-skill_manage':
      return part.state === 'input-available' ? <p>{part.input.name}</p> : null
    default:
      return null
  }
}

export const Chat = ({ id, initialMessages }: { readonly id: string; readonly initialMessages: ChatMessage[] }) => {
  const { messages, sendMessage, status } = useChat<ChatMessage>({
    id,
    messages: initialMessages,
    transport: new DefaultChatTransport({ api: '/api/chat' }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onData: (part) => console.log(part.type),
  })
  const plain: readonly UIMessage[] = messages
  return (
    <form onSubmit={() => void sendMessage({ text: String(plain.length), metadata: { createdAt: '' } })} aria-busy={status === 'streaming'}>
      {messages.map((message) => message.parts.map((part, index) => <Part key={index} part={part} />))}
    </form>
  )
}
`

/** Its files, by path. They are ES modules. */
export const CHAT_TEMPLATE: Readonly<Record<string, string>> = { 'lib/tools.ts': TOOLS, 'app/route.ts': ROUTE, 'app/chat.tsx': CHAT }

/** A CommonJS program, in the syntax that `verbatimModuleSyntax` asks of it. */
export const COMMON_JS_HOST = `
import adapter = require('@hermes/ai-sdk')
import core = require('@hermes/core')
import ai = require('ai')

const hermes = core.createHermes({ storage: core.inMemoryBackend() })
declare const openai: (id: string) => Parameters<typeof ai.wrapLanguageModel>[0]['model']
const model = ai.wrapLanguageModel({ model: openai('gpt-5'), middleware: adapter.hermesMiddleware(hermes) })
const tools: ai.ToolSet = adapter.hermesTools(hermes)
export = () => ai.streamText({ model, tools: { ...tools, ...adapter.hermesTools(hermes, { prefix: 'my_' }) }, prompt: 'hi' })
`
