import { z } from 'zod'

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().min(1).max(2000) }),
  z.object({ type: z.literal('file'), mediaType: z.enum(['image/jpeg', 'image/png']), name: z.string().max(100), url: z.url() }),
])

/** One new message; or the whole conversation, after somebody has answered a request for approval. */
export const bodySchema = z.object({
  id: z.uuid(),
  message: z.object({ id: z.uuid(), role: z.literal('user'), parts: z.array(part).min(1) }).optional(),
  messages: z.array(z.object({ id: z.string(), role: z.enum(['user', 'assistant']), parts: z.array(z.unknown()) })).optional(),
  selectedChatModel: z.enum(['chat-model', 'chat-model-reasoning']),
  selectedVisibilityType: z.enum(['public', 'private']),
})
