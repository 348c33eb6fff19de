import { auth } from '@/lib/auth.ts'
import { getChat, newestStream } from '@/lib/db.ts'
import { resumeStream } from '@/lib/streams.ts'

/** The newest answer again, from its beginning, also while it is being written. */
export const GET = async (_request: Request, { params }: { readonly params: Promise<{ id: string }> }): Promise<Response> => {
  const { id } = await params
  const person = await auth()
  if (!person || (await getChat(id))?.userId !== person.id) return new Response(null, { status: 403 })
  const stream = resumeStream((await newestStream(id)) ?? '')
  if (!stream) return new Response(null, { status: 204 })
  return new Response(stream.pipeThrough(new TextEncoderStream()), { headers: { 'content-type': 'text/event-stream' } })
}
