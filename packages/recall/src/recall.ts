/** Search over one home's index: the ranking in front of a `HomeRecallIndex`. */
import type { Clock } from '@hermes/core'
import type { Similar } from './embed/similar.ts'
import { fuse } from './ranking/fuse.ts'
import { nameTerms } from './ranking/names.ts'
import { newerFirst } from './ranking/newer-first.ts'
import { queryTerms } from './ranking/query-terms.ts'
import { bestOf, type RankedHit, type RankingOptions, rankHits } from './ranking/rank-hits.ts'
import { namesIn, withSecondHop } from './ranking/second-hop.ts'
import { snippetOf } from './ranking/snippet.ts'
import { type Weights, weightsOf } from './ranking/weights.ts'
import type { HomeRecallIndex, IndexAnswer, IndexHit, IndexSearch, ProjectScope, RecallItem, TimeSpan } from './recall-index.ts'
import { type SpokenTime, spokenTime } from './text/time-span.ts'

export interface RecallSearch extends TimeSpan, ProjectScope {
  readonly text: string
  /** Only turns of this session. */
  readonly sessionId?: string
  /** No turns of this session. */
  readonly excludeSessionId?: string
  /** Maximum number of hits, 1 to 50. Default 5. */
  readonly limit?: number
  /** Maximum number of hits of one session. Default 1; within one session, no maximum. */
  readonly perSession?: number
  /** Maximum length of a hit's `user` and `answer` together, in characters. Default 300. */
  readonly snippetChars?: number
}

export interface RecallHit {
  readonly kind: RecallItem['kind']
  readonly id: string
  /** The session of a turn; the title of an archived item. */
  readonly source: string
  /** Of the session of a turn; absent without one. */
  readonly project?: string
  readonly at: number
  readonly automated: boolean
  /** What fits the search best of what the user said; `''` for an archived item. On one line. */
  readonly user: string
  /** What fits the search best of the agent's answer, or of an archived item. On one line. */
  readonly answer: string
  /** Greater is better; comparable within one search only. */
  readonly score: number
  /** What the hit shares with the search, as a share of what identifies one item among all; a name and a time count extra. From about 1 a good match. */
  readonly relevance: number
}

export interface Recall {
  /** The best first; ordered by more than the score, since of two statements about the same the newer one comes first. */
  search(search: RecallSearch): Promise<readonly RecallHit[]>
  readonly index: HomeRecallIndex
}

export interface RecallOptions {
  readonly clock: Clock
  readonly halfLifeMs: number
  /** Undefined without an embedding model. */
  readonly similar: Similar | undefined
}

const CANDIDATES = 80
const HOP_CANDIDATES = 20
const MOST_HITS = 50
/** Of the characters of a snippet, what the user said gets at most this share. */
const USER_SHARE = 0.6

/** What is in both spans. */
const narrowed = (asked: TimeSpan, spoken: Required<TimeSpan>): TimeSpan => ({
  after: Math.max(asked.after ?? spoken.after, spoken.after),
  before: Math.min(asked.before ?? spoken.before, spoken.before),
})

const withHits = (answer: IndexAnswer, more: readonly IndexHit[]): IndexAnswer => {
  const hits = new Map([...more, ...answer.hits].map((hit) => [`${hit.kind} ${hit.id}`, hit]))
  return { ...answer, hits: [...hits.values()] }
}

const toRecallHit = ({ hit, score, relevance }: RankedHit, weights: Weights, snippetChars: number): RecallHit => {
  const { kind, id, source, project, at, automated } = hit
  const user = snippetOf(hit.user, weights, Math.ceil(snippetChars * (hit.answer === '' ? 1 : USER_SHARE)))
  const answer = snippetOf(hit.answer, weights, snippetChars - user.length)
  return { kind, id, source, ...(project === undefined ? {} : { project }), at, automated, user, answer, score, relevance }
}

export const createRecall = (index: HomeRecallIndex, { clock, halfLifeMs, similar }: RecallOptions): Recall => {
  /** Everything that could be meant, from the words, the names, the time and the meaning of a text. */
  const findAll = async (request: IndexSearch, text: string, names: readonly string[], spoken: SpokenTime | undefined) => {
    const meaning = similar?.meaningOf(text)
    const withName = names.length === 0 ? undefined : index.search({ ...request, terms: names })
    const [answer, then, named, near, nearNamed] = await Promise.all([
      index.search(request),
      spoken && index.search({ ...request, ...narrowed(request, spoken.span) }),
      withName,
      meaning?.nearest(request),
      meaning && withName?.then(({ hits }) => meaning.nearest({ ...request, among: hits })),
    ])
    const meant = { near: near ?? [], named: nearNamed ?? [] }
    return { answer: withHits(answer, [...(then?.hits ?? []), ...(named?.hits ?? []), ...meant.near]), meant }
  }

  const followNames = async (direct: readonly RankedHit[], answer: IndexAnswer, request: IndexSearch, options: RankingOptions) => {
    const names = namesIn(direct, weightsOf(answer), request.terms)
    if (names.length === 0) return direct
    const hop = await index.search({ ...request, terms: names, limit: HOP_CANDIDATES })
    return withSecondHop(direct, hop, answer, options)
  }

  return {
    index,
    async search({ text, limit = 5, perSession, snippetChars = 300, ...span }) {
      const now = clock()
      const spoken = spokenTime(text, now)
      const terms = queryTerms(spoken?.rest ?? text)
      if (terms.length === 0) return []
      const request = { ...span, terms, limit: CANDIDATES }
      const names = nameTerms(spoken?.rest ?? text).filter((name) => terms.includes(name))
      const { answer, meant } = await findAll(request, text, names, spoken)
      const options = { now, halfLifeMs, names, ...(spoken ? { span: spoken.span } : {}) }
      const direct = fuse(rankHits(answer, options), meant)
      const ranked = await followNames(direct, answer, request, options)
      const most = perSession ?? (span.sessionId === undefined ? 1 : MOST_HITS)
      const weights = weightsOf(answer)
      const best = bestOf(ranked, MOST_HITS, most)
      const chosen = span.sessionId === undefined && !spoken ? newerFirst(best, weights) : best
      return chosen.slice(0, limit).map((each) => toRecallHit(each, weights, snippetChars))
    },
  }
}
