/** A page from the web. Each hop of a redirect is checked, and so is the address that is really connected to, so that no page leads into the own network. */
import { type LookupAddress, lookup as lookUp } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { redactCredentials } from '@hermes/core/provider'
import { formatCount } from '../terminal/format.ts'
import { type Document, MAX_DOCUMENT_BYTES, textOfBytes } from './documents.ts'
import type { Skipped } from './learn-source.ts'

const MOST_REDIRECTS = 5
const TIMEOUT_MS = 30_000

const PRIVATE = new BlockList()
for (const [net, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
  ] as const),
  ...([
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ] as const),
])
  PRIVATE.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 96],
  // Forms that hold an address of IPv4.
  ['::ffff:0:0:0', 96],
  ['2001::', 32],
  ['2002::', 16],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6')

/** An IPv4 address in the form of IPv6. */
const MAPPED = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i

const unmapped = (address: string): string => {
  const [, dotted, high, low] = MAPPED.exec(address) ?? []
  if (dotted !== undefined) return dotted
  if (high === undefined || low === undefined) return address
  const bits = Number.parseInt(high, 16) * 0x1_00_00 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.')
}

/** Of this machine, its network, or nobody. Undefined for a name. */
export const isPrivateAddress = (host: string): boolean | undefined => {
  const address = unmapped(host.replace(/^\[|\]$/g, '').replace(/%.*$/, ''))
  const version = isIP(address)
  return version === 0 ? undefined : PRIVATE.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

class PrivateAddress extends Error {}

const refusal = (address: string): string =>
  `it is at ${address}, an address of this machine or of a private network. If you trust it, use --allow-private`

/** Whether an address is refused; undefined for a name, which is resolved first. */
type IsRefused = (address: string) => boolean | undefined

/** Resolves a name, and refuses addresses before a connection is made to one. */
const guardedLookup =
  (isRefused: IsRefused) =>
  (
    host: string,
    options: object,
    done: (cause: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    lookUp(host, { ...options, all: true }, (cause, addresses) => {
      const own = addresses?.find(({ address }) => isRefused(address) !== false)
      const [first] = addresses ?? []
      if (cause) done(cause, [])
      else if (own) done(new PrivateAddress(refusal(own.address)), [])
      else if (Reflect.get(options, 'all') === true) done(null, addresses)
      else done(null, first?.address ?? '', first?.family)
    })
  }

const get = (url: URL, isRefused: IsRefused, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const headers = {
      accept: 'text/html, text/*;q=0.9, application/json;q=0.8',
      'accept-encoding': 'identity',
      'user-agent': 'hermes-learn',
    }
    request(url, { headers, signal, agent: false, lookup: guardedLookup(isRefused) }, resolve)
      .on('error', reject)
      .end()
  })

/** Undefined if it is larger than a document may be. */
const bodyOf = async (response: IncomingMessage): Promise<Uint8Array | undefined> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response) {
    const part: Uint8Array = chunk
    bytes += part.length
    if (bytes > MAX_DOCUMENT_BYTES) {
      response.destroy()
      return undefined
    }
    chunks.push(part)
  }
  return Buffer.concat(chunks)
}

const READABLE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)$|application\/(?:markdown|x-yaml|x-ndjson)$)/

/** What a page is called in messages and in the journal: without its query, where signed links have their secrets. */
const nameOf = ({ origin, pathname }: URL): string => {
  const name = origin + pathname
  return redactCredentials(name) === name ? name : origin
}

const toDocument = async (url: URL, response: IncomingMessage, at: number): Promise<Document | Skipped> => {
  const name = nameOf(url)
  const [type = '', ...parameters] = (response.headers['content-type'] ?? 'text/plain').toLowerCase().split(';')
  if (!READABLE.test(type.trim())) {
    response.destroy()
    return { name, why: `it is not text but ${type.trim()}` }
  }
  const bytes = await bodyOf(response)
  if (!bytes) return { name, why: `it has more than ${formatCount(MAX_DOCUMENT_BYTES / 1_000_000)} MB` }
  const charset = /charset="?([\w-]+)/.exec(parameters.join(';'))?.[1] ?? 'utf-8'
  const read = textOfBytes(bytes, charset)
  if ('why' in read) return { name, why: read.why }
  const { toPlainText } = await import('./plain-text.ts')
  return { name, text: /html/.test(type) ? toPlainText(read.text) : read.text, at }
}

const openable = (text: string, from?: URL): URL | undefined => {
  if (!URL.canParse(text, from)) return undefined
  const url = new URL(text, from)
  // A user and a password in an address are secrets.
  url.username = ''
  url.password = ''
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}

export interface FetchOptions {
  /** See `isPrivateAddress`. */
  readonly isRefused: IsRefused
  /** The present time, in epoch milliseconds. */
  readonly at: number
  readonly signal: AbortSignal
}

/** Never rejects. */
export const fetchPage = async (address: string, { isRefused, at, signal }: FetchOptions): Promise<Document | Skipped> => {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  let url = openable(address)
  if (!url) return { name: redactCredentials(address), why: 'it is no address of a page' }
  let name = nameOf(url)
  try {
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      name = nameOf(url)
      if (isRefused(url.hostname) === true) return { name, why: refusal(url.hostname) }
      const response = await get(url, isRefused, limit)
      const { statusCode: status = 0, headers } = response
      if (status >= 200 && status < 300) return await toDocument(url, response, at)
      response.destroy()
      if (status < 300 || status >= 400 || headers.location === undefined) return { name, why: `its server answered ${status}` }
      const next = openable(headers.location, url)
      if (!next) return { name, why: `it leads to '${headers.location.slice(0, 200)}', which is no page` }
      url = next
    }
    return { name, why: `it leads on more than ${MOST_REDIRECTS} times` }
  } catch (cause) {
    if (limit.aborted) return { name, why: signal.aborted ? 'it was stopped' : `it took more than ${TIMEOUT_MS / 1_000} seconds` }
    const reason = cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(cause)
    return { name, why: cause instanceof PrivateAddress ? reason : `it cannot be read: ${reason}` }
  }
}
