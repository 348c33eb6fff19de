/** One turn of the chat. Whose memory it reads and writes is decided by the sign-in alone. */
import { hermesTools } from '@hermes/ai-sdk'
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  safeValidateUIMessages,
  streamText,
  toUIMessageStream,
} from 'ai'
import { homes } from '../../../lib/homes.ts'
import { model } from '../../../lib/model.ts'
import { readPageTool } from '../../../lib/read-page-tool.ts'
import { signedIn } from '../../../lib/signed-in.ts'

const tools = { read_page: readPageTool, ...hermesTools(homes) }

const refuse = (status: number, error: string): Response => Response.json({ error }, { status })

export const POST = async (request: Request): Promise<Response> => {
  const person = await signedIn()
  if (!person) return refuse(401, 'Sign in first.')
  const body: { id?: unknown; messages?: unknown } | null = await request.json().catch(() => null)
  // The browser sends the conversation. A page that was left open for another person must not bring theirs into this one's memory.
  if (body?.id !== person.chatId) return refuse(409, 'This page belongs to another sign-in or an earlier chat. Reload it.')
  const messages = await safeValidateUIMessages({ messages: body.messages })
  if (!messages.success) return refuse(400, 'The messages cannot be read.')

  const result = streamText({
    model,
    instructions: 'You are a friendly assistant. Be brief.',
    messages: await convertToModelMessages(messages.data),
    tools,
    stopWhen: isStepCount(8),
    abortSignal: request.signal,
    providerOptions: { hermes: { user: person.user, sessionId: person.chatId } },
  })
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream }) })
}
