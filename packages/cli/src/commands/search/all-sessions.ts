/** What was said in past sessions and archived, at length, narrowed by session and time. */
import type { RecallHit } from '@hermes/recall'
import type { Answer } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { renderFields } from '../../terminal/field-list.ts'
import { counted } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { formatInstant } from '../../terminal/relative-time.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { NOTHING_STORED, withRecall } from '../../with-recall.ts'

const KINDS = { turn: 'session', entry: 'archived entry of', skill: 'archived skill' } as const

/** Longer than what an agent is shown: a person reads it. */
const SNIPPET_CHARS = 600
const PER_SESSION = 3

const renderHit = ({ kind, source, at, automated, user, answer }: RecallHit, terminal: Terminal): string => {
  const { bold, dim } = terminal.paint
  const head = `${bold(formatInstant(at))}  ${dim(`${KINDS[kind]} ${oneLine(source)}${automated ? ' (automated)' : ''}`)}\n`
  return (
    head +
    renderFields(
      kind === 'turn'
        ? [
            ['user', user],
            ['agent', answer],
          ]
        : [['text', answer]],
      terminal,
    )
  )
}

/** `--json` calls the source of a turn its session. */
const toValue = ({ kind, id, source, at, automated, user, answer, score, relevance }: RecallHit): object =>
  kind === 'turn'
    ? { kind, id, session: source, at, automated, user, agent: answer, score, relevance }
    : { kind, id, title: source, at, text: answer, score, relevance }

interface SessionSearch {
  readonly text: string
  readonly sessionId?: string
  /** Epoch milliseconds. */
  readonly after?: number
  /** Epoch milliseconds. */
  readonly before?: number
  readonly limit: number
}

export const searchAllSessions = (wanted: SessionSearch, context: Context): Promise<Answer> =>
  withRecall(context, async (recall) => {
    const perSession = wanted.sessionId === undefined ? PER_SESSION : wanted.limit
    const hits = await recall.search({ ...wanted, perSession, snippetChars: SNIPPET_CHARS })
    const isEmpty = hits.length === 0 && (await recall.index.stats()).newestAt === undefined
    const none = isEmpty ? NOTHING_STORED : 'Nothing matches. Try other words, such as a name, or fewer limits.'
    return {
      value: { query: wanted.text, places: [{ place: 'sessions', hits: hits.map(toValue) }] },
      text: (terminal) =>
        hits.length === 0
          ? hint(none, terminal)
          : `${hits.map((hit) => renderHit(hit, terminal)).join('\n')}\n${hint(counted(hits.length, 'hit'), terminal)}`,
    }
  })
