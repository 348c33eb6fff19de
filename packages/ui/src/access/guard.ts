/** Lets through only requests of the page itself, of a browser that is signed in, that may do what they ask for. */
import type { MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { failure } from '../api/answers.ts'
import { isReading, refusalOf } from './check-request.ts'
import type { SignIn } from './sign-in.ts'

export interface GuardOptions {
  /** The path of the page, and of its cookie. */
  readonly home: string
  readonly hosts: readonly string[]
  readonly write: boolean
  /** The host's own sign-in; undefined: the one-time token. */
  readonly access: ((request: Request) => boolean | Promise<boolean>) | undefined
  readonly signIn: SignIn
}

/** Cookies are shared by all ports of a host, so each port has one of its own. */
const cookieName = (request: Request): string => `hermes-inspector-${new URL(request.url).port || 'default'}`

const SIGNED_OUT = 'Not signed in. Start `hermes ui` again and open the link that it prints; each link works once.'
const FORBIDDEN = 'You may not open the inspector: the app that serves it has refused you.'
const UNDECIDED = 'Your sign-in could not be checked: the `access` of the app that serves the inspector has failed.'
const READ_ONLY = 'The inspector was opened to read only. Start it with --write to decide and to change.'

/** Undefined if the host's own sign-in fails, whose error is none of a stranger's business. */
const ask = async (access: NonNullable<GuardOptions['access']>, request: Request): Promise<boolean | undefined> => {
  try {
    return Boolean(await access(request))
  } catch {
    return undefined
  }
}

export const guard =
  ({ home, hosts, write, access, signIn }: GuardOptions): MiddlewareHandler =>
  async (context, next) => {
    const request = context.req.raw
    const refused = refusalOf(request, hosts)
    if (refused !== undefined) return failure(context, 403, 'refused', refused)
    const token = access ? undefined : context.req.query('token')
    // Not by HEAD, with which some programs look at a link before a person opens it.
    const cookie = token !== undefined && request.method === 'GET' ? await signIn.exchange(token) : undefined
    if (cookie !== undefined) {
      const secure = new URL(request.url).protocol === 'https:'
      setCookie(context, cookieName(request), cookie, { httpOnly: true, sameSite: 'Strict', path: home, secure })
      return context.redirect(home, 303)
    }
    const allowed = access ? await ask(access, request) : await signIn.isSignedIn(getCookie(context, cookieName(request)))
    if (allowed === undefined) return failure(context, 500, 'unexpected', UNDECIDED)
    if (!allowed) {
      const message = access ? FORBIDDEN : SIGNED_OUT
      return context.req.path.includes('/api/') ? failure(context, 401, 'signed-out', message) : context.text(message, 401)
    }
    if (!isReading(request) && !write) return failure(context, 403, 'read-only', READ_ONLY)
    return next()
  }
