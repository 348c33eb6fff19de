import { randomUUID } from 'node:crypto'
import {
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  isStepCount,
  smoothStream,
  streamText,
  toUIMessageStream,
} from 'ai'
import { after } from 'next/server'
import { bodySchema } from '@/app/api/chat/schema.ts'
import { systemPrompt } from '@/lib/ai/prompts.ts'
import { myProvider } from '@/lib/ai/providers.ts'
import { titleOf } from '@/lib/ai/title.ts'
import { toolsOf } from '@/lib/ai/tools.ts'
import { auth, MESSAGES_PER_DAY } from '@/lib/auth.ts'
import { createStreamId, deleteChat, getChat, getMessages, messagesOfToday, saveChat, saveMessages, setTitle } from '@/lib/db.ts'
import { homes } from '@/lib/hermes.ts'
import { keepStream } from '@/lib/streams.ts'
import type { ChatMessage } from '@/lib/types.ts'

export const maxDuration = 60

const refuse = (status: number, error: string): Response => Response.json({ error }, { status })

export const POST = async (request: Request): Promise<Response> => {
  const body = bodySchema.safeParse(await request.json().catch(() => undefined))
  if (!body.success) return refuse(400, 'The request cannot be read.')
  const { id, message, messages, selectedChatModel, selectedVisibilityType: visibility } = body.data
  const person = await auth()
  if (!person) return refuse(401, 'Sign in first.')
  if (message && (await messagesOfToday(person.id)) >= MESSAGES_PER_DAY[person.type]) return refuse(429, 'Enough for today.')
  const chat = await getChat(id)
  if (chat && chat.userId !== person.id) return refuse(403, 'This chat is of somebody else.')
  if (!message && !(chat && messages)) return refuse(400, 'There is nothing to answer.')

  let title: Promise<string> | undefined
  if (!chat && message) {
    await saveChat({ id, userId: person.id, title: 'New chat', visibility })
    title = titleOf(message)
  }
  const isApproval = message === undefined
  const known = await getMessages(id)
  const said = isApproval ? messages : [...known.filter((each) => each.id !== message.id), message]
  const conversation = said as ChatMessage[]
  if (message) await saveMessages(id, [message as ChatMessage])

  const hasTools = selectedChatModel !== 'chat-model-reasoning'
  const hints = { city: request.headers.get('x-vercel-ip-city'), country: request.headers.get('x-vercel-ip-country') }
  const modelMessages = await convertToModelMessages(conversation)
  const stream = createUIMessageStream<ChatMessage>({
    ...(isApproval ? { originalMessages: conversation } : {}),
    generateId: randomUUID,
    execute: async ({ writer }) => {
      const result = streamText({
        model: myProvider.languageModel(selectedChatModel),
        instructions: systemPrompt(hints, hasTools),
        messages: modelMessages,
        stopWhen: isStepCount(5),
        ...(hasTools ? {} : { activeTools: [] }),
        experimental_transform: smoothStream({ chunking: 'word', delayInMs: null }),
        tools: toolsOf({ user: person.id, chat: id, writer }),
        providerOptions: { hermes: { user: person.id, sessionId: id } },
      })
      writer.merge(toUIMessageStream<ReturnType<typeof toolsOf>, ChatMessage>({ stream: result.stream, sendReasoning: true }))
      if (!title) return
      const named = await title
      writer.write({ type: 'data-chat-title', data: named })
      await setTitle(id, named)
    },
    onEnd: ({ messages: finished }) => saveMessages(id, finished),
    onError: () => 'Something went wrong.',
  })
  return createUIMessageStreamResponse({
    stream,
    consumeSseStream: async ({ stream: copy }) => {
      const streamId = await createStreamId(id)
      after(keepStream(streamId, copy))
    },
  })
}

/** The chat is gone, with what no review has read of it. What was learned from it stays. */
export const DELETE = async (request: Request): Promise<Response> => {
  const id = new URL(request.url).searchParams.get('id') ?? ''
  const person = await auth()
  if (!person) return refuse(401, 'Sign in first.')
  if ((await getChat(id))?.userId !== person.id) return refuse(403, 'This chat is of somebody else.')
  await deleteChat(id)
  const forgotten = await homes.for(person.id).forgetSession(id)
  return forgotten.ok ? Response.json({ id }) : refuse(500, forgotten.error.message)
}
