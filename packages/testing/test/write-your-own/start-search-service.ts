/** The service of docs/write-your-own.md: documents in collections, found by common words. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export const API_KEY = 'key of the page'

const PAGE = 20

interface Document {
  readonly id: string
  readonly text: string
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu))

/** The share of the rarest words is not known to it: one common word is enough for a good score. */
const scoreOf = (query: string, { text }: Document): number => {
  const words = wordsOf(text)
  return [...wordsOf(query)].some((word) => words.has(word)) ? 1 : 0
}

export interface SearchServer {
  readonly url: string
  readonly close: () => Promise<void>
}

export const startSearchService = async (): Promise<SearchServer> => {
  const collections = new Map<string, Map<string, Document>>()

  const answer = (method: string, url: URL, body: Readonly<Record<string, unknown>>): object | undefined => {
    const [collection = '', id = ''] = url.pathname.slice(1).split('/')
    const documents = collections.get(collection) ?? new Map<string, Document>()
    collections.set(collection, documents)
    if (method === 'PUT') return documents.set(id, { ...body, id, text: String(body['text']) }) && {}
    if (method === 'DELETE') return documents.delete(id) ? {} : undefined
    if (method === 'GET') {
      const after = url.searchParams.get('after') ?? ''
      const ids = [...documents.keys()].filter((each) => each > after).sort()
      return { documents: ids.slice(0, PAGE).map((each) => documents.get(each)) }
    }
    const hits = [...documents.values()].map((document) => ({ ...document, score: scoreOf(String(body['query']), document) }))
    return { hits: hits.filter(({ score }) => score > 0).slice(0, Number(body['limit'])) }
  }

  const server = createServer(async (request, response) => {
    const isAllowed = request.headers.authorization === `Bearer ${API_KEY}`
    const hasBody = request.method === 'PUT' || request.method === 'POST'
    const body = hasBody ? ((await json(request)) as Record<string, unknown>) : {}
    const found = isAllowed ? answer(request.method ?? '', new URL(request.url ?? '', 'http://localhost'), body) : undefined
    const status = isAllowed ? (found ? 200 : 404) : 401
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
