/** The inspector: a page that shows what was learned, what waits and why, and lets a person decide. A fetch handler, for any server. */
import type { Hermes, HermesEventListener, HermesHomes } from '@hermes/core'
import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { PAGE_FILES } from '#page'
import { isReading, LOOPBACK_HOSTS, refusalOf } from './access/check-request.ts'
import { RESPONSE_HEADERS } from './access/response-headers.ts'
import { createSignIn, type SignIn } from './access/sign-in.ts'
import { failure } from './api/answers.ts'
import { createEventHub } from './api/event-hub.ts'
import { apiRoutes } from './api/routes.ts'

export interface InspectorOptions {
  /** Allows decisions and changes. Default false: the page only shows. */
  readonly write?: boolean
  /** The path at which the host serves it, such as `/hermes`. Default `/`. */
  readonly basePath?: string
  /** Host names, without port, at which the page may be opened. Other names need `access`. Default: those of the loopback. */
  readonly hosts?: readonly string[]
  /** The host's own sign-in, asked for every request. Default: the one-time token of `link`. */
  readonly access?: (request: Request) => boolean | Promise<boolean>
  /** What the page calls this home, such as its folder. Default none. */
  readonly label?: string
  /** Returns a text that cannot be guessed, for tokens. Default: 122 random bits. */
  readonly createSecret?: () => string
}

export interface Inspector {
  /** Answers a request of the page. Never rejects. */
  (request: Request): Promise<Response>
  /** A link that signs one browser in, once. `origin`: such as `http://127.0.0.1:4983`. */
  link(origin: string): Promise<string>
  /** Passes an event of the host's process to open pages at once: `createHermes({ onEvent: (event) => inspector.notify(event) })`. */
  readonly notify: HermesEventListener
  /** Ends open streams and every sign-in. */
  close(): void
}

const checkBasePath = (basePath: string): string => {
  if (/^\/(?:[\w.~-]+\/?)*$/.test(basePath)) return basePath.replace(/\/$/, '')
  throw new TypeError(`'basePath' is a path such as '/hermes', not '${basePath}'.`)
}

const checkHosts = (hosts: readonly string[], hasAccess: boolean): readonly string[] => {
  const open = hosts.find((host) => !LOOPBACK_HOSTS.includes(host))
  if (open === undefined || hasAccess) return hosts
  throw new TypeError(`The inspector at '${open}' needs your own sign-in: pass 'access', which decides about every request.`)
}

/** Cookies are shared by all ports of a host, so each port has one of its own. */
const cookieName = (request: Request): string => `hermes-inspector-${new URL(request.url).port || 'default'}`

const SIGNED_OUT = 'Not signed in. Start `hermes ui` again and open the link that it prints; each link works once.'

const isHomes = (target: Hermes | HermesHomes): target is HermesHomes => 'for' in target

/** `target`: one home, or the homes of a server. Throws a TypeError for an invalid option. */
export const hermesInspector = (target: Hermes | HermesHomes, options: InspectorOptions = {}): Inspector => {
  const { write = false, access, label, createSecret = () => crypto.randomUUID() } = options
  const base = checkBasePath(options.basePath ?? '/')
  const hosts = checkHosts(options.hosts ?? LOOPBACK_HOSTS, access !== undefined)
  const signIn: SignIn = createSignIn({ createSecret })
  const hub = createEventHub()

  const app = new Hono({ strict: false })
  app.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(RESPONSE_HEADERS)) context.res.headers.set(name, value)
  })
  app.use(async (context, next) => {
    const request = context.req.raw
    const refused = refusalOf(request, hosts)
    if (refused !== undefined) return failure(context, 403, 'refused', refused)
    const token = access ? undefined : context.req.query('token')
    if (token !== undefined && isReading(request)) {
      const cookie = await signIn.exchange(token)
      if (cookie !== undefined) {
        const secure = new URL(request.url).protocol === 'https:'
        setCookie(context, cookieName(request), cookie, { httpOnly: true, sameSite: 'Strict', path: base === '' ? '/' : base, secure })
        return context.redirect(`${base}/`, 303)
      }
    }
    const allowed = access ? await access(request) : await signIn.isSignedIn(getCookie(context, cookieName(request)))
    if (!allowed)
      return context.req.path.includes('/api/') ? failure(context, 401, 'signed-out', SIGNED_OUT) : context.text(SIGNED_OUT, 401)
    if (!isReading(request) && !write) {
      return failure(context, 403, 'read-only', 'The inspector was opened to read only. Start it with --write to decide and to change.')
    }
    await next()
    return undefined
  })

  const homeOf = (user: string | undefined, tenant: string | undefined): Hermes => {
    if (!isHomes(target)) return target
    if (user === undefined) throw new TypeError('Name an owner: ?user=<id>.')
    return target.for(tenant === undefined ? user : { tenant, user })
  }
  app.route(`${base}/api`, apiRoutes({ homeOf, homes: isHomes(target) ? target : undefined, write, label, hub }))

  app.get(`${base}/*`, (context) => {
    const { pathname } = new URL(context.req.url)
    // Without the slash, relative addresses would be taken from the folder above.
    if (pathname === base) return context.redirect(`${base}/`, 303)
    const path = pathname.slice(base.length + 1) || 'index.html'
    const file = Object.hasOwn(PAGE_FILES, path) ? PAGE_FILES[path] : undefined
    return file ? context.body(file.text, 200, { 'content-type': file.type }) : context.text('Not found.', 404)
  })
  app.onError((error, context) => {
    if (error instanceof TypeError) return failure(context, 400, 'invalid', error.message)
    return failure(context, 500, 'unexpected', `Something went wrong inside the inspector: ${error.message}`)
  })

  return Object.assign(async (request: Request) => app.fetch(request), {
    link: async (origin: string) => `${new URL(origin).origin}${base}/?token=${await signIn.issue()}`,
    notify: hub.notify,
    close() {
      signIn.end()
      hub.close()
    },
  })
}
