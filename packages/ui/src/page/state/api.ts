/** Asks the inspector's API. The page works wherever it is mounted. */
import { signal } from '@preact/signals'

export interface Owner {
  readonly user: string
  readonly tenant?: string
}

/** Whose home is shown; undefined for a single home, and before an owner was chosen. */
export const owner = signal<Owner | undefined>(undefined)

/** Set once the server no longer knows this browser. */
export const signedOut = signal<string | undefined>(undefined)

// The page is at `/` or at `/hermes`, its scripts are always in `assets/` below.
const script = import.meta.url
const API = new URL('../api/', script).pathname

export type Params = Readonly<Record<string, string | number | undefined>>

/** `of`: whose home; default: the one that is shown. */
export const address = (path: string, params: Params = {}, of: Owner | undefined = owner.value): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...of, ...params })) if (value !== undefined) query.set(name, String(value))
  const text = query.toString()
  return `${API}${path}${text === '' ? '' : `?${text}`}`
}

export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Undefined if the inspector did not answer. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** Throws an ApiError if the connection fails, also for a request that was given up. */
const received = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer
  } catch {
    throw new ApiError('The inspector does not answer. Is `hermes ui` still running?')
  }
}

const read = async <T>(response: Response): Promise<T> => {
  // An answer that breaks off, or that is given up, is no answer, and not an empty one.
  if (response.ok) return (await received(response.json())) as T
  const body: unknown = await response.json().catch(() => undefined)
  const { message, code = 'unexpected' } =
    (body as { readonly error?: { readonly message?: string; readonly code?: string } } | undefined)?.error ?? {}
  const text = message ?? `The inspector answered with ${response.status}.`
  if (response.status === 401) signedOut.value = text
  throw new ApiError(text, code)
}

/** Throws an ApiError with a message for people. */
export const get = async <T>(path: string, params?: Params, stop?: AbortSignal): Promise<T> =>
  read<T>(await received(fetch(address(path, params), stop ? { signal: stop } : {})))

export const post = async <T>(path: string, body: unknown = {}, of?: Owner): Promise<T> =>
  read<T>(
    await received(
      fetch(address(path, {}, of), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    ),
  )
