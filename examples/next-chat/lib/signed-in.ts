/** Stands in for your sign-in. A signed cookie says who the person is and which chat is open, so neither is ever read from what a request says of itself. */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { cookies } from 'next/headers'
import { oncePerProcess } from './once-per-process.ts'

export const PEOPLE = { alice: 'Alice', bob: 'Bob' } as const

export type Person = keyof typeof PEOPLE

export interface SignedIn {
  readonly user: Person
  /** The Hermes session; each sign-in and each new chat begins one. */
  readonly chatId: string
}

const COOKIE = 'next-chat'

const secret = oncePerProcess('secret', () => process.env['SESSION_SECRET'] ?? randomBytes(32))

const sign = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url')

const isSame = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))

export const isPerson = (value: unknown): value is Person => typeof value === 'string' && Object.hasOwn(PEOPLE, value)

/** Undefined for a visitor who has not signed in, and for a cookie that this server did not sign. */
export const signedIn = async (): Promise<SignedIn | undefined> => {
  const [user, chatId = '', signature = ''] = ((await cookies()).get(COOKIE)?.value ?? '').split('.')
  return isPerson(user) && isSame(signature, sign(`${user}.${chatId}`)) ? { user, chatId } : undefined
}

/** Begins a new chat as this person. */
export const signIn = async (user: Person): Promise<void> => {
  const text = `${user}.${randomUUID()}`
  // Behind https add `secure: true`.
  ;(await cookies()).set(COOKIE, `${text}.${sign(text)}`, { httpOnly: true, sameSite: 'lax', path: '/' })
}
