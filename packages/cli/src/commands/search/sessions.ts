/** What was said in past sessions and archived, at length, narrowed by session and time. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { err, HermesError, ok, type Result } from '@hermes/core'
import type { Recall, RecallHit } from '@hermes/recall'
import type { Answer } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { hint, renderFields } from '../../terminal/field-list.ts'
import { counted, formatInstant, shellQuote } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { NOTHING_STORED, withRecall } from '../../with-recall.ts'
import { EXCERPT_CHARS, type Hit, type Hits, type Search } from './excerpt.ts'

const KINDS = { turn: 'session', entry: 'archived entry of', skill: 'archived skill' } as const

/** Longer than what an agent is shown: a person reads it. */
const SNIPPET_CHARS = 600
const PER_SESSION = 3

const ofProject = ({ project }: RecallHit): string => (project === undefined ? '' : ` of project ${oneLine(project)}`)

const renderHit = (hit: RecallHit, terminal: Terminal): string => {
  const { kind, source, at, automated, user, answer } = hit
  const { bold, dim } = terminal.paint
  const head = `${bold(formatInstant(at))}  ${dim(`${KINDS[kind]} ${oneLine(source)}${ofProject(hit)}${automated ? ' (automated)' : ''}`)}\n`
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
const toValue = ({ kind, id, source, project, at, automated, user, answer, score, relevance }: RecallHit): object =>
  kind === 'turn'
    ? { kind, id, session: source, ...(project === undefined ? {} : { project }), at, automated, user, agent: answer, score, relevance }
    : { kind, id, title: source, at, text: answer, score, relevance }

type SessionSearch = Parameters<Recall['search']>[0] & { readonly limit: number }

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

/** Whether past sessions are stored at all: config.yaml names a provider, or the home holds an index. */
export const mayHoldSessions = ({ config, home }: Context): boolean =>
  (config.ok && (config.value.config.memory.provider ?? '').trim() !== '') || existsSync(join(home, 'recall'))

export const searchSessions = async ({ query, matcher, limit }: Search, context: Context): Promise<Result<Hits>> => {
  let hits: readonly Hit[] = []
  let more = false
  const answer = await withRecall(context, async (recall) => {
    const found = await recall.search({ text: query, limit: limit + 1, perSession: limit + 1, snippetChars: EXCERPT_CHARS })
    // What it has from the archive is searched there.
    const turns = found.filter(({ kind }) => kind === 'turn')
    more = turns.length > limit
    hits = turns.slice(0, limit).map((hit) => {
      const { source, at, user, answer: said } = hit
      const text = [user === '' ? '' : `you: ${user}`, said === '' ? '' : `agent: ${said}`].filter((part) => part !== '').join(' · ')
      const command = `hermes search ${shellQuote(query)} --session ${shellQuote(source)}`
      return { id: source, title: `session${ofProject(hit)}`, at, command, text, matches: matcher.mark(text) }
    })
    return {}
  })
  return answer.failure ? err(new HermesError('io', answer.failure.message)) : ok({ hits, more })
}
