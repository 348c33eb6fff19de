/** Answers the requests of `hermes serve`: only with its token, never for a web page, and never with more than one home's data. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { err, type Hermes, HermesError, ok, type Result } from '@hermes/core'
import { parseBoundedJson } from '@hermes/core/storage'
import { z } from 'zod'
import { describeApi, OPERATIONS } from './operations.ts'

/** Of a body. Parsing one of more values would hold up other requests. */
const LIMITS = { maxBytes: 1_000_000, maxValues: 10_000 }

export interface Served {
  readonly token: string
  /** The home of a user; of the one that is served if there is none. An error says which users there can be. */
  readonly homeOf: (owner: { readonly user: string | undefined; readonly tenant: string | undefined }) => Result<Hermes>
  /** Cancels what asks a model. */
  readonly signal: AbortSignal
  readonly onFailure: (cause: unknown) => void
}

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

const answer = (status: number, body: unknown, more: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...HEADERS, ...more } })

const refuse = (status: number, code: string, message: string, more: Readonly<Record<string, string>> = {}): Response =>
  answer(status, { error: { code, message } }, more)

const STATUS: Readonly<Record<string, number>> = {
  not_found: 404,
  ambiguous: 409,
  occupied: 409,
  locked: 409,
  drift: 409,
  over_limit: 422,
  blocked: 422,
  rejected: 422,
  disabled: 422,
  invalid: 400,
  empty: 400,
  model: 502,
  provider: 502,
  timeout: 504,
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** In the same time for every wrong token. */
const isAllowed = (request: Request, token: string): boolean => {
  const [, given] = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** A page of another name that points to this address has its own name in `Host`. */
const isLocal = (request: Request): boolean => {
  const host = request.headers.get('host')
  return LOOPBACK.has(new URL(request.url).hostname) && (host === null || LOOPBACK.has(host.replace(/:\d+$/, '')))
}

/** Undefined for a body that is larger than it may be; the rest of it is not read. */
const readBody = async (request: Request): Promise<Uint8Array | undefined> => {
  if (Number(request.headers.get('content-length') ?? 0) > LIMITS.maxBytes) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > LIMITS.maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const MOST_ISSUES = 5

/** Of a value that may have several forms: what the last of them lacks. */
const detailed = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] =>
  issues.flatMap((issue) =>
    issue.code === 'invalid_union'
      ? (issue.errors.at(-1) ?? []).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
      : [issue],
  )

const parseBody = (bytes: Uint8Array, schema: z.ZodType): Result<unknown> => {
  const json = parseBoundedJson(bytes, LIMITS)
  if (!json.ok) return err(new HermesError('invalid', `The body ${json.error.message}.`))
  const body = schema.safeParse(json.value)
  if (body.success) return ok(body.data)
  const why = z.prettifyError({ issues: detailed(body.error.issues).slice(0, MOST_ISSUES) })
  return err(new HermesError('invalid', `The body is not what this takes: ${why.slice(0, 500)}`))
}

/** Header values have only letters of Latin 1, so they are percent-encoded. A value that cannot be decoded must not count as none: it would name somebody else. */
const named = (request: Request, name: string): Result<string | undefined> => {
  try {
    const value = request.headers.get(name)
    return ok(value === null ? undefined : decodeURIComponent(value))
  } catch {
    return err(new HermesError('invalid', `The header ${name} is not percent-encoded UTF-8.`))
  }
}

const refusalOf = (request: Request, token: string): Response | undefined => {
  if (!isLocal(request)) return refuse(403, 'refused', 'This host name is not allowed: call the address as it was printed.')
  if (request.headers.has('origin')) return refuse(403, 'refused', 'No web page may call this. Call it from your server.')
  if (isAllowed(request, token)) return undefined
  return refuse(401, 'unauthorised', 'The token is missing or wrong: send the header Authorization: Bearer <token>.', {
    'www-authenticate': 'Bearer',
  })
}

const carryOut = async (request: Request, { homeOf, signal }: Served): Promise<Response> => {
  const { pathname } = new URL(request.url)
  const operation = pathname.startsWith('/v1/') ? OPERATIONS.get(pathname.slice(4)) : undefined
  if (!operation) return refuse(404, 'not_found', `There is no '${pathname.slice(0, 80)}'. GET /openapi.json describes what there is.`)
  if (request.method !== 'POST') return refuse(405, 'invalid', 'Send a POST with a JSON body.', { allow: 'POST' })
  const bytes = await readBody(request)
  if (!bytes) return refuse(413, 'over_limit', `The body may have at most ${LIMITS.maxBytes} bytes.`, { connection: 'close' })
  const body = parseBody(bytes, operation.body)
  if (!body.ok) return refuse(400, body.error.code, body.error.message)
  const user = named(request, 'x-hermes-user')
  if (!user.ok) return refuse(400, user.error.code, user.error.message)
  const tenant = named(request, 'x-hermes-tenant')
  if (!tenant.ok) return refuse(400, tenant.error.code, tenant.error.message)
  const home = homeOf({ user: user.value, tenant: tenant.value })
  if (!home.ok) return refuse(403, home.error.code, home.error.message)
  const done = await operation.run(home.value, body.value as never, signal)
  if (done.ok) return answer(200, { value: done.value ?? null })
  return refuse(STATUS[done.error.code] ?? 500, done.error.code, done.error.message)
}

/** To requests that come while the server stops. */
export const stopping = (): Response => refuse(503, 'closed', 'The server is stopping.', { connection: 'close' })

export const apiHandler =
  (served: Served): ((request: Request) => Promise<Response>) =>
  async (request) => {
    try {
      const refused = refusalOf(request, served.token)
      if (refused) return refused
      const { pathname, origin } = new URL(request.url)
      if (request.method === 'GET' && pathname === '/openapi.json') return answer(200, describeApi(origin))
      return await carryOut(request, served)
    } catch (cause) {
      // A client that went away in the middle of its body is one of these.
      served.onFailure(cause)
      return refuse(500, 'unexpected', 'This failed unexpectedly. The program that serves it has printed why.')
    }
  }
