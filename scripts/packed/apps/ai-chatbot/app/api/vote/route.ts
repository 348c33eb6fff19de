import { auth } from '@/lib/auth.ts'
import { getChat, vote } from '@/lib/db.ts'

export const PATCH = async (request: Request): Promise<Response> => {
  const { chatId, messageId, type }: { chatId: string; messageId: string; type: 'up' | 'down' } = await request.json()
  const person = await auth()
  if (!person || (await getChat(chatId))?.userId !== person.id) return new Response(null, { status: 403 })
  await vote(chatId, messageId, type === 'up')
  return new Response(null, { status: 204 })
}
