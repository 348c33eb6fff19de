import { auth, signIn } from '@/lib/auth.ts'
import { createUser, deleteUser, moveChats } from '@/lib/db.ts'
import { moveMemory } from '@/lib/hermes.ts'

/** A new account. A guest takes chats and memory along. */
export const POST = async (request: Request): Promise<Response> => {
  const { email }: { email: string } = await request.json()
  const guest = await auth()
  const user = await createUser(email)
  if (user && guest?.type === 'guest') {
    await moveChats(guest.id, user.id)
    await moveMemory(guest.id, user.id)
    await deleteUser(guest.id)
  }
  if (user) await signIn(user.id)
  return Response.json(user)
}
