/** The part of mem0's service that the client calls: facts with metadata, per user. Every message of a user becomes one fact. */

import { type ServiceAnswer, type ServiceRequest, startService } from './local-service.ts'
import { overlap } from './word-embeddings.ts'

interface StoredFact {
  readonly id: string
  readonly memory: string
  readonly user_id: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly created_at: string
}

interface Filters {
  readonly user_id?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly AND?: readonly Filters[]
}

const KEYS = new Set(['user_id', 'metadata', 'AND'])

const passes = (fact: StoredFact, { user_id, metadata = {}, AND = [] }: Filters): boolean =>
  (user_id === undefined || fact.user_id === user_id) &&
  Object.entries(metadata).every(([key, value]) => fact.metadata[key] === value) &&
  AND.every((filters) => passes(fact, filters))

export interface Mem0Service {
  readonly url: string
  readonly facts: readonly StoredFact[]
}

export const startMem0 = async (): Promise<Mem0Service> => {
  let facts: readonly StoredFact[] = []

  const add = ({ body }: ServiceRequest): ServiceAnswer => {
    const { messages, user_id, metadata, timestamp } = body as {
      messages: { role: string; content: string }[]
      user_id: string
      metadata: Record<string, unknown>
      timestamp: number
    }
    const made = messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => ({
        id: `fact-${facts.length + 1}`,
        memory: content,
        user_id,
        metadata,
        created_at: new Date(timestamp * 1000).toISOString(),
      }))
    facts = [...facts, ...made]
    return { body: made.map(({ id }) => ({ id, event: 'ADD' })) }
  }

  const page = ({ url, body }: ServiceRequest): ServiceAnswer => {
    const found = facts.filter((fact) => passes(fact, body['filters'] as Filters))
    const size = Number(url.searchParams.get('page_size'))
    const start = (Number(url.searchParams.get('page')) - 1) * size
    const next = start + size < found.length ? 'another page' : null
    return { body: { count: found.length, next, previous: null, results: found.slice(start, start + size) } }
  }

  const search = ({ body }: ServiceRequest): ServiceAnswer => {
    const { query, filters, threshold, top_k } = body as { query: string; filters: Filters; threshold: number; top_k: number }
    const results = facts
      .filter((fact) => passes(fact, filters))
      .map((fact) => ({ ...fact, score: overlap(query, fact.memory) }))
      .filter(({ score }) => score >= threshold)
    return { body: { results: results.sort((a, b) => b.score - a.score).slice(0, top_k) } }
  }

  const remove = (id: string): ServiceAnswer | undefined => {
    if (!facts.some((fact) => fact.id === id)) return undefined
    facts = facts.filter((fact) => fact.id !== id)
    return { body: { message: 'Memory deleted successfully!' } }
  }

  const url = await startService((request) => {
    const { method, authorization, body } = request
    if (authorization !== 'Token key') return { status: 401, body: { detail: 'Invalid API key' } }
    if (Object.keys((body['filters'] as Filters | undefined) ?? {}).some((key) => !KEYS.has(key)))
      return { status: 400, body: { detail: 'Unknown filter' } }
    const call = `${method} ${request.url.pathname}`
    if (call === 'GET /v1/ping/') return { body: { status: 'ok', org_id: 'org', project_id: 'project', user_email: 'ada@example.org' } }
    if (call === 'POST /v3/memories/add/') return add(request)
    if (call === 'POST /v3/memories/search/') return search(request)
    if (call === 'POST /v3/memories/') return page(request)
    const id = /^DELETE \/v1\/memories\/([^/]+)\/$/.exec(call)?.[1]
    return id === undefined ? undefined : remove(id)
  })
  return {
    url,
    get facts() {
      return facts
    },
  }
}
