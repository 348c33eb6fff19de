/** The part of Supermemory's service that the client calls: documents with a container tag, found at once. */

import { type ServiceAnswer, type ServiceRequest, startService } from './local-service.ts'
import { overlap } from './word-embeddings.ts'

interface StoredDocument {
  readonly id: string
  readonly customId: string
  readonly content: string
  readonly containerTag: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly updatedAt: string
}

type NewDocument = Omit<StoredDocument, 'id' | 'updatedAt'>

interface SearchRequest {
  readonly q: string
  readonly containerTag: string
  readonly threshold: number
  readonly limit: number
  readonly searchMode: string
}

const NAME = /^[\w.-]{1,100}$/

export interface SupermemoryService {
  readonly url: string
  readonly documents: ReadonlyMap<string, StoredDocument>
}

/** `now`: what the service takes for the time of a write. */
export const startSupermemory = async (now: () => number): Promise<SupermemoryService> => {
  const documents = new Map<string, StoredDocument>()

  const add = (document: NewDocument): ServiceAnswer => {
    if (!NAME.test(document.containerTag) || !NAME.test(document.customId)) return { status: 400, body: { error: 'Invalid name' } }
    const id = `doc-${document.customId}`
    documents.set(id, { ...document, id, updatedAt: new Date(now()).toISOString() })
    return { body: { id, status: 'queued' } }
  }

  const list = ({ body }: ServiceRequest): ServiceAnswer => {
    const { containerTags, limit, page } = body as { containerTags: string[]; limit: number; page: number }
    const found = [...documents.values()].filter(({ containerTag }) => containerTags.includes(containerTag))
    const pagination = { currentPage: page, totalItems: found.length, totalPages: Math.ceil(found.length / limit), limit }
    return { body: { memories: found.slice((page - 1) * limit, page * limit), pagination } }
  }

  const search = ({ body }: ServiceRequest): ServiceAnswer => {
    const { q, containerTag, threshold, limit, searchMode } = body as unknown as SearchRequest
    const results = [...documents.values()]
      .filter((document) => document.containerTag === containerTag && searchMode === 'hybrid')
      .map(({ id, content, metadata, updatedAt }) => ({ id, chunk: content, metadata, updatedAt, similarity: overlap(q, content) }))
      .filter(({ similarity }) => similarity >= threshold)
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, limit)
    return { body: { results, timing: 1, total: results.length } }
  }

  const remove = (ids: readonly string[]): ServiceAnswer => {
    if (ids.length > 100) return { status: 400, body: { error: 'At most 100 ids' } }
    const errors = ids.filter((id) => !documents.delete(id)).map((id) => ({ id, error: 'not found' }))
    return { body: { success: errors.length === 0, deletedCount: ids.length - errors.length, ...(errors.length > 0 ? { errors } : {}) } }
  }

  const url = await startService((request) => {
    if (request.authorization !== 'Bearer key') return { status: 401, body: { error: 'Unauthorized' } }
    const { body } = request
    const call = `${request.method} ${request.url.pathname}`
    if (call === 'POST /v3/documents') return add(body as unknown as NewDocument)
    if (call === 'POST /v3/documents/list') return list(request)
    if (call === 'POST /v4/search') return search(request)
    return call === 'DELETE /v3/documents/bulk' ? remove(body['ids'] as string[]) : undefined
  })
  return { url, documents }
}
