/** Who is signed in: a signed cookie names the user. Everybody else becomes a guest, with an id of their own. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { cookies } from 'next/headers'
import { getUser } from '@/lib/db.ts'

export type UserType = 'guest' | 'regular'

export interface SignedIn {
  readonly id: string
  readonly type: UserType
}

export const MESSAGES_PER_DAY: Readonly<Record<UserType, number>> = { guest: 8, regular: 100 }

const GUEST = /^guest-/

const COOKIE = 'session'

const sign = (text: string): string =>
  createHmac('sha256', process.env.AUTH_SECRET ?? '')
    .update(text)
    .digest('base64url')

const isSame = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))

export const auth = async (): Promise<SignedIn | undefined> => {
  const [id = '', signature = ''] = ((await cookies()).get(COOKIE)?.value ?? '').split('.')
  const user = isSame(signature, sign(id)) ? await getUser(id) : undefined
  return user && { id: user.id, type: GUEST.test(user.email) ? 'guest' : 'regular' }
}

export const signIn = async (id: string): Promise<void> => {
  ;(await cookies()).set(COOKIE, `${id}.${sign(id)}`, { httpOnly: true, sameSite: 'lax', path: '/' })
}
