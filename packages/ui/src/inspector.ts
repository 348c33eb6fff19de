/** The inspector: a page that shows what was learned, what waits and why, and lets a person decide. A fetch handler, for any server. */
import type { Hermes, HermesEventListener, HermesHomes } from '@hermes/core'
import { Hono } from 'hono'
import { PAGE_FILES } from '#page'
import { checkOptions, checkTarget } from './access/check-options.ts'
import { LOOPBACK_HOSTS } from './access/check-request.ts'
import { guard } from './access/guard.ts'
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

const isHomes = (target: Hermes | HermesHomes): target is HermesHomes => 'for' in target

/** `target`: one home, or the homes of a server. Throws a TypeError for an invalid option. */
export const hermesInspector = (target: Hermes | HermesHomes, options: InspectorOptions = {}): Inspector => {
  checkTarget(target)
  checkOptions({ ...options })
  const { write = false, basePath = '/', hosts = LOOPBACK_HOSTS, access, label, createSecret = () => crypto.randomUUID() } = options
  const base = basePath.replace(/\/$/, '')
  const home = base === '' ? '/' : base
  const signIn: SignIn = createSignIn({ createSecret })
  const hub = createEventHub()

  // Absolute addresses, since hosts differ in whether they keep a slash at the end.
  const html = (PAGE_FILES['index.html']?.text ?? '').replaceAll('"./', `"${base}/`)

  const app = new Hono({ strict: false })
  app.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(RESPONSE_HEADERS)) context.res.headers.set(name, value)
  })
  app.use(guard({ home, hosts, write, access, signIn }))

  const homeOf = (user: string | undefined, tenant: string | undefined): Hermes => {
    if (!isHomes(target)) return target
    if (user === undefined) throw new TypeError('Name an owner: ?user=<id>.')
    return target.for(tenant === undefined ? user : { tenant, user })
  }
  app.route(`${base}/api`, apiRoutes({ homeOf, homes: isHomes(target) ? target : undefined, write, label, hub }))

  app.get(`${base}/*`, (context) => {
    const path = new URL(context.req.url).pathname.slice(base.length + 1)
    if (path === '') return context.html(html)
    const file = Object.hasOwn(PAGE_FILES, path) ? PAGE_FILES[path] : undefined
    return file ? context.body(file.text, 200, { 'content-type': file.type }) : context.text('Not found.', 404)
  })
  app.onError((error, context) => {
    if (error instanceof TypeError) return failure(context, 400, 'invalid', error.message)
    return failure(context, 500, 'unexpected', `Something went wrong inside the inspector: ${error.message}`)
  })

  return Object.assign(async (request: Request) => app.fetch(request), {
    link: async (origin: string) => `${new URL(origin).origin}${home}?token=${await signIn.issue()}`,
    notify: hub.notify,
    close() {
      signIn.end()
      hub.close()
    },
  })
}
