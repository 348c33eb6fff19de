/** Answers when what runs behind this person's turns is done, so that the page can show what was learned. */
import { homes } from '../../../lib/homes.ts'
import { signedIn } from '../../../lib/signed-in.ts'

export const GET = async (): Promise<Response> => {
  const person = await signedIn()
  if (!person) return Response.json({ error: 'Sign in first.' }, { status: 401 })
  await homes.for(person.user).settled()
  return new Response(null, { status: 204 })
}
