import { randomUUID } from 'node:crypto'
import { signIn } from '@/lib/auth.ts'
import { createUser } from '@/lib/db.ts'

export const POST = async (): Promise<Response> => {
  const user = await createUser(`guest-${randomUUID()}`)
  if (user) await signIn(user.id)
  return Response.json(user)
}
