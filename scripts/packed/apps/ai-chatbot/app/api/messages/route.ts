import { auth } from '@/lib/auth.ts'
import { deleteTrailing, getChat, getMessages } from '@/lib/db.ts'
import { homes } from '@/lib/hermes.ts'

const asked = async (request: Request) => {
  const { searchParams } = new URL(request.url)
  const [person, chat] = [await auth(), searchParams.get('chat') ?? '']
  const isAllowed = person !== undefined && (await getChat(chat))?.userId === person.id
  return { chat, message: searchParams.get('message') ?? '', person: isAllowed ? person : undefined }
}

export const GET = async (request: Request): Promise<Response> => {
  const { chat, person } = await asked(request)
  return person ? Response.json(await getMessages(chat)) : new Response(null, { status: 403 })
}

/** Before a message is said in other words, or answered anew. */
export const DELETE = async (request: Request): Promise<Response> => {
  const { chat, message, person } = await asked(request)
  if (!person) return new Response(null, { status: 403 })
  await deleteTrailing(chat, message)
  // Without a first message, nothing shows Hermes that the conversation begins anew.
  if ((await getMessages(chat)).length === 0) await homes.for(person.id).forgetSession(chat)
  return new Response(null, { status: 204 })
}
