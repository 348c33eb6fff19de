/** Search over one home's index: the ranking in front of a `HomeRecallIndex`. */
import type { Clock } from '@hermes/core'
import { queryTerms } from './ranking/query-terms.ts'
import { bestOf, newerFirst, rankHits, weightsOf } from './ranking/rank-hits.ts'
import { namesIn, withSecondHop } from './ranking/second-hop.ts'
import { snippetOf } from './ranking/snippet.ts'
import type { HomeRecallIndex, IndexAnswer, IndexHit, IndexSearch, RecallItem, TimeSpan } from './recall-index.ts'
import { spokenTime } from './text/time-span.ts'

export interface RecallSearch extends TimeSpan {
  readonly text: string
  /** Only turns of this session. */
  readonly sessionId?: string
  /** No turns of this session. */
  readonly excludeSessionId?: string
  /** Maximum number of hits, 1 to 50. Default 5. */
  readonly limit?: number
  /** Maximum number of hits of one session. Default 1; within one session, no maximum. */
  readonly perSession?: number
  /** Maximum length of a snippet, in characters. Default 300. */
  readonly snippetChars?: number
}

export interface RecallHit {
  readonly kind: RecallItem['kind']
  readonly id: string
  /** The session of a turn; the title of an archived item. */
  readonly source: string
  readonly at: number
  readonly automated: boolean
  /** What fits the search best of what the user said; `''` for an archived item. On one line. */
  readonly user: string
  /** What fits the search best of the agent's answer, or of an archived item. On one line. */
  readonly answer: string
  /** Greater is better; comparable within one search only. */
  readonly score: number
  /** How much the hit shares with the search, as a share of what identifies one item among all: from about 0.8 a good match. */
  readonly relevance: number
}

export interface Recall {
  search(search: RecallSearch): Promise<readonly RecallHit[]>
  readonly index: HomeRecallIndex
}

export interface RecallOptions {
  readonly clock: Clock
  readonly halfLifeMs: number
  /** Adds candidates that are near in meaning. */
  readonly similar?: (search: IndexSearch, text: string) => Promise<readonly RecallItem[]>
}

const CANDIDATES = 80
const HOP_CANDIDATES = 20
const MOST_HITS = 50

/** What is in both spans. */
const narrowed = (asked: TimeSpan, spoken: Required<TimeSpan>): TimeSpan => ({
  after: Math.max(asked.after ?? spoken.after, spoken.after),
  before: Math.min(asked.before ?? spoken.before, spoken.before),
})

const withHits = (answer: IndexAnswer, more: readonly IndexHit[]): IndexAnswer => {
  const known = new Set(answer.hits.map(({ kind, id }) => `${kind} ${id}`))
  return { ...answer, hits: [...answer.hits, ...more.filter(({ kind, id }) => !known.has(`${kind} ${id}`))] }
}

export const createRecall = (index: HomeRecallIndex, { clock, halfLifeMs }: RecallOptions): Recall => ({
  index,
  async search({ text, limit = 5, perSession, snippetChars = 300, ...span }) {
    const now = clock()
    const spoken = spokenTime(text, now)
    const terms = queryTerms(spoken?.rest ?? text)
    if (terms.length === 0) return []
    const request = { ...span, terms, limit: CANDIDATES }
    const answer = await index.search(request)
    const then = spoken && (await index.search({ ...request, ...narrowed(span, spoken.span) }))
    const options = { now, halfLifeMs, ...(spoken ? { span: spoken.span } : {}) }
    const direct = rankHits(withHits(answer, then?.hits ?? []), options)
    const names = namesIn(direct, weightsOf(answer), terms)
    const hop = names.length === 0 ? undefined : await index.search({ ...request, terms: names, limit: HOP_CANDIDATES })
    const ranked = hop ? withSecondHop(direct, hop, answer, options) : direct
    const most = perSession ?? (span.sessionId === undefined ? 1 : MOST_HITS)
    const weights = weightsOf(answer)
    const best = bestOf(ranked, MOST_HITS, most)
    const chosen = most === 1 && !spoken ? newerFirst(best, weights) : best
    return chosen.slice(0, limit).map(({ hit, score, relevance }) => {
      const userChars = Math.ceil(snippetChars * (hit.answer === '' ? 1 : 0.6))
      const user = snippetOf(hit.user, weights, userChars)
      const answerSnippet = snippetOf(hit.answer, weights, snippetChars - user.length)
      const { kind, id, source, at, automated } = hit
      return { kind, id, source, at, automated, user, answer: answerSnippet, score, relevance }
    })
  },
})
