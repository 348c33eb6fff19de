/** The app's tools. Each call of the route makes those that write into its stream, and those of Hermes are beside them. */
import { randomUUID } from 'node:crypto'
import { hermesTools } from '@hermes/ai-sdk'
import { generateText, streamText, tool, type UIMessageStreamWriter } from 'ai'
import { z } from 'zod'
import { documentPrompt, SUGGESTION_PROMPT, updatePrompt } from '@/lib/ai/prompts.ts'
import { myProvider } from '@/lib/ai/providers.ts'
import { getDocument, saveDocument, saveSuggestion } from '@/lib/db.ts'
import { homes } from '@/lib/hermes.ts'
import type { ChatMessage, DocumentKind } from '@/lib/types.ts'

const getWeather = tool({
  description: 'The weather of a city now',
  inputSchema: z.object({ city: z.string() }),
  needsApproval: true,
  execute: async ({ city }) => {
    const response = await fetch(`${process.env.WEATHER_URL}/weather?city=${encodeURIComponent(city)}`)
    return { city, report: await response.text() }
  },
})

interface ToolContext {
  readonly user: string
  readonly chat: string
  readonly writer: UIMessageStreamWriter<ChatMessage>
}

const KINDS = ['text', 'code', 'sheet'] as const satisfies readonly DocumentKind[]

const writeDeltas = async (writer: ToolContext['writer'], deltas: AsyncIterable<string>): Promise<string> => {
  let content = ''
  for await (const delta of deltas) {
    content += delta
    writer.write({ type: 'data-textDelta', data: delta, transient: true })
  }
  writer.write({ type: 'data-finish', data: null, transient: true })
  return content
}

const createDocument = ({ user, writer }: ToolContext) =>
  tool({
    description: 'Writes a document that the person sees beside the chat',
    inputSchema: z.object({ title: z.string(), kind: z.enum(KINDS) }),
    execute: async ({ title, kind }) => {
      const id = randomUUID()
      writer.write({ type: 'data-kind', data: kind, transient: true })
      writer.write({ type: 'data-id', data: id, transient: true })
      writer.write({ type: 'data-title', data: title, transient: true })
      writer.write({ type: 'data-clear', data: null, transient: true })
      const { textStream } = streamText({
        model: myProvider.languageModel('artifact-model'),
        instructions: documentPrompt(kind),
        prompt: title,
      })
      await saveDocument(user, { id, title, kind, content: await writeDeltas(writer, textStream) })
      return { id, title, kind }
    },
  })

/** The nested call has the person's memory, since it writes for them; it is no turn. */
const updateDocument = ({ user, chat, writer }: ToolContext) =>
  tool({
    description: 'Changes a document',
    inputSchema: z.object({ id: z.string(), description: z.string() }),
    execute: async ({ id, description }) => {
      const document = await getDocument(user, id)
      if (!document) return { error: 'There is no such document.' }
      writer.write({ type: 'data-clear', data: null, transient: true })
      const { textStream } = streamText({
        model: myProvider.languageModel('chat-model'),
        instructions: updatePrompt(document.content),
        prompt: description,
        providerOptions: { hermes: { user, sessionId: chat } },
      })
      await saveDocument(user, { ...document, content: await writeDeltas(writer, textStream) })
      return { id, title: document.title }
    },
  })

/** A side call on a model with memory: it sees none. */
const requestSuggestions = ({ user, writer }: ToolContext) =>
  tool({
    description: 'Suggests better wordings for a document',
    inputSchema: z.object({ documentId: z.string() }),
    execute: async ({ documentId }) => {
      const document = await getDocument(user, documentId)
      if (!document) return { error: 'There is no such document.' }
      const { text } = await generateText({
        model: myProvider.languageModel('chat-model'),
        instructions: SUGGESTION_PROMPT,
        prompt: document.content,
        providerOptions: { hermes: { skip: true } },
      })
      const [originalText = '', suggestedText = ''] = text.split('\n')
      writer.write({ type: 'data-suggestion', data: { originalText, suggestedText }, transient: true })
      await saveSuggestion(user, document, originalText, suggestedText)
      return { id: documentId, suggestions: 1 }
    },
  })

export const toolsOf = (context: ToolContext) => ({
  getWeather,
  createDocument: createDocument(context),
  updateDocument: updateDocument(context),
  requestSuggestions: requestSuggestions(context),
  ...hermesTools(homes),
})

export type ChatTools = ReturnType<typeof toolsOf>
