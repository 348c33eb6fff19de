import { auth } from '@/lib/auth.ts'
import { deleteUser } from '@/lib/db.ts'
import { homes } from '@/lib/hermes.ts'

export const DELETE = async (): Promise<Response> => {
  const person = await auth()
  if (!person) return new Response(null, { status: 401 })
  await deleteUser(person.id)
  await homes.for(person.id).settled()
  const erased = await homes.erase(person.id)
  return erased.ok ? Response.json(erased.value) : Response.json({ error: erased.error.message }, { status: 500 })
}
