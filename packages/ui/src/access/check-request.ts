/** Refuses requests that did not come from the page itself: other host names, other origins. Pure. */

export const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** The name without the port; undefined if it is none. */
export const hostNameOf = (host: string): string | undefined => {
  try {
    return new URL(`http://${host}`).hostname
  } catch {
    return undefined
  }
}

/** A page of another name that points to this address, as in DNS rebinding, has its own name in `Host`. */
const isKnownHost = (request: Request, hosts: readonly string[]): boolean =>
  [new URL(request.url).host, request.headers.get('host')].every((host) => {
    const name = host === null ? undefined : hostNameOf(host)
    return host === null || (name !== undefined && hosts.includes(name))
  })

/** The scheme may differ: a proxy ends TLS. */
const isOwnOrigin = (origin: string, request: Request): boolean => {
  try {
    return new URL(origin).host === (request.headers.get('host') ?? new URL(request.url).host)
  } catch {
    return false
  }
}

const READING = new Set(['GET', 'HEAD'])

export const isReading = (request: Request): boolean => READING.has(request.method)

/** Following a link to the page, such as the one that a terminal shows. */
const isNavigation = (request: Request): boolean => request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate'

/** Why the request is refused; undefined if it may go on. */
export const refusalOf = (request: Request, hosts: readonly string[]): string | undefined => {
  if (!isKnownHost(request, hosts)) return 'This host name is not allowed. Open the address as it was printed, or name the host in `hosts`.'
  const origin = request.headers.get('origin')
  if (origin !== null && !isOwnOrigin(origin, request)) return 'The request comes from another origin.'
  if (origin === null && !isReading(request)) return 'The request names no origin.'
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none' && !isNavigation(request)) return 'The request comes from another site.'
  return undefined
}
