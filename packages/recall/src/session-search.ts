/** The tool `session_search`: what was said earlier, for an agent that asks. */
import type { ProviderTool } from '@hermes/core/provider'
import { dateOf } from './format-recalled.ts'
import type { Recall, RecallHit } from './recall.ts'
import type { RecallItem, SessionSummary, TimeSpan } from './recall-index.ts'

export const SYSTEM_PROMPT_BLOCK =
  'Earlier conversations with this user are stored. What seems relevant to a message may be recalled below it by itself. When the user refers to something that was said before and you do not see it, look for it with the tool session_search before you say that you do not know.'

export const SEARCH_TOOL: ProviderTool = {
  name: 'session_search',
  description:
    'Searches earlier conversations with this user, and what was archived from memory. With a query: matching passages, each with its session and date. With a session and no query: that conversation, around a date if one is given. With neither: the latest sessions. Use few, specific words, such as names; search again with other words if nothing fits.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'Words that were used in what you look for.' },
      session: { type: 'string', description: 'Id of a session, as a search returned it.' },
      after: { type: 'string', description: 'Only from this date on: 2026-03-01, or with a time as 2026-03-01T14:00:00Z.' },
      before: { type: 'string', description: 'Only before this date.' },
      limit: { type: 'integer', minimum: 1, maximum: 20, description: 'Maximum number of results. Default 8.' },
    },
    additionalProperties: false,
  },
}

const MOST_RESULT_CHARS = 8_000
const DEFAULT_LIMIT = 8
const MOST_RESULTS = 20
const TURN_CHARS = 1_200
const SNIPPET_CHARS = 500

type Answer = Readonly<Record<string, unknown>>

const refused = (error: string): Answer => ({ success: false, error })

/** Takes results while they fit. */
const fitting = <T>(results: readonly T[]): { readonly results: readonly T[]; readonly dropped: number } => {
  let chars = 200
  const kept = results.filter((result) => {
    chars += JSON.stringify(result).length + 1
    return chars <= MOST_RESULT_CHARS
  })
  return { results: kept, dropped: results.length - kept.length }
}

const answerWith = (results: readonly object[], none: string): Answer => {
  if (results.length === 0) return { success: true, results: [], note: none }
  const fits = fitting(results)
  const note = fits.dropped === 0 ? {} : { note: `${fits.dropped} more did not fit. Narrow the search.` }
  return { success: true, results: fits.results, ...note }
}

const cut = (text: string, limit: number): string => (text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`)

const toResult = ({ kind, source, at, automated, user, answer }: RecallHit): object => ({
  ...(kind === 'turn' ? { session: source } : { [kind]: source }),
  date: new Date(at).toISOString().slice(0, 16).replace('T', ' '),
  ...(automated ? { automated } : {}),
  ...(user === '' ? {} : { user }),
  ...(answer === '' ? {} : { [kind === 'turn' ? 'agent' : 'text']: answer }),
})

const toTurn = ({ at, user, answer }: RecallItem): object => ({
  date: new Date(at).toISOString().slice(0, 16).replace('T', ' '),
  user: cut(user, TURN_CHARS),
  agent: cut(answer, TURN_CHARS),
})

const toSession = ({ sessionId, firstAt, lastAt, turns, automated, opening }: SessionSummary): object => ({
  session: sessionId,
  from: dateOf(firstAt),
  to: dateOf(lastAt),
  turns,
  ...(automated ? { automated } : {}),
  began: opening,
})

interface Checked {
  readonly query: string
  readonly session: string
  readonly span: TimeSpan
  readonly limit: number
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Undefined if there is none; NaN if it cannot be read. */
const timeOf = (value: unknown): number | undefined => {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'number' ? value : Date.parse(textOf(value))
}

const check = (input: Answer): Checked | string => {
  const after = timeOf(input['after'])
  const before = timeOf(input['before'])
  if (Number.isNaN(after) || Number.isNaN(before))
    return "A date looks like 2026-03-01 or 2026-03-01T14:00:00Z. Pass 'after' and 'before' in this form."
  const number = Number(input['limit'] ?? DEFAULT_LIMIT)
  const limit = Number.isFinite(number) ? Math.min(MOST_RESULTS, Math.max(1, Math.trunc(number))) : DEFAULT_LIMIT
  const span = { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) }
  return { query: textOf(input['query']), session: textOf(input['session']), span, limit }
}

/** The session that asks; its earlier turns are found too, because its host may have compacted them. */
interface Asking {
  readonly sessionId: string
  /** `''` for none. */
  readonly project: string
}

export const runSearchTool = async (recall: Recall, input: Answer, { sessionId: ownSession, project }: Asking): Promise<Answer> => {
  const checked = check(input)
  if (typeof checked === 'string') return refused(checked)
  const { query, session, span, limit } = checked
  const inSession = session === '' ? { project } : { project, sessionId: session }
  if (query !== '') {
    const hits = await recall.search({
      text: query,
      ...inSession,
      ...span,
      limit,
      perSession: session === '' ? 2 : limit,
      snippetChars: SNIPPET_CHARS,
    })
    return answerWith(hits.map(toResult), 'Nothing matches. Try other words, such as a name, or fewer limits.')
  }
  if (session !== '') {
    const { after, before } = span
    const at = after ?? before ?? Number.MAX_SAFE_INTEGER
    const earlier = after === undefined ? limit : 0
    const turns = await recall.index.readSession({
      sessionId: session,
      project,
      at,
      before: earlier,
      after: after === undefined ? 0 : limit,
    })
    return answerWith(
      turns.filter((turn) => before === undefined || turn.at < before).map(toTurn),
      `There is no session '${cut(session, 80)}' at that time.`,
    )
  }
  const sessions = await recall.index.recentSessions({ ...span, project, limit, excludeSessionId: ownSession })
  return answerWith(sessions.map(toSession), 'There are no earlier sessions.')
}
