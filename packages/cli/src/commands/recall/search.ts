/** `hermes recall search`: what was said in past sessions. */
import type { RecallHit } from '@hermes/recall'
import { type Answer, EXIT, failed } from '../../answer.ts'
import { pastTime, wholeNumber } from '../../arguments.ts'
import { defineCommand, type GlobalArgs } from '../../command.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { renderFields } from '../../terminal/field-list.ts'
import { counted } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { formatInstant } from '../../terminal/relative-time.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { NOTHING_STORED, withRecall } from './with-recall.ts'

interface SearchArgs {
  readonly query: readonly string[]
  readonly session: string | undefined
  readonly after: ((now: number) => number) | undefined
  readonly before: ((now: number) => number) | undefined
  readonly limit: number
}

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

const search = async (
  { query, session, after, before, limit, '--': rest = [] }: SearchArgs & GlobalArgs,
  context: Context,
): Promise<Answer> => {
  const text = [...query, ...rest].join(' ').trim()
  if (text === '')
    return failed({ code: 'usage', message: 'Missing what to search for: hermes recall search <words>.', exitCode: EXIT.usage })
  const now = context.clock()
  return withRecall(context, async (recall) => {
    const hits = await recall.search({
      text,
      ...(session === undefined ? {} : { sessionId: session }),
      ...(after ? { after: after(now) } : {}),
      ...(before ? { before: before(now) } : {}),
      limit,
      perSession: session === undefined ? PER_SESSION : limit,
      snippetChars: SNIPPET_CHARS,
    })
    const isEmpty = hits.length === 0 && (await recall.index.stats()).newestAt === undefined
    const none = isEmpty ? NOTHING_STORED : 'Nothing matches. Try other words, such as a name, or fewer limits.'
    return {
      value: { hits: hits.map(toValue) },
      text: (terminal) =>
        hits.length === 0
          ? hint(none, terminal)
          : `${hits.map((hit) => renderHit(hit, terminal)).join('\n')}\n${hint(counted(hits.length, 'hit'), terminal)}`,
    }
  })
}

export const searchCommand = defineCommand<SearchArgs>({
  usage: 'search [query..]',
  describe: 'Search what was said in past sessions, and what was archived from memory and skills.',
  examples: [
    ['hermes recall search boathouse kayak', 'the best matches, at most three of a session'],
    ['hermes recall search invoice --after 2w --limit 20', 'of the last two weeks'],
    ['hermes recall search invoice --session chat-42', 'in one session'],
    ['hermes recall search kayak --home /var/lib/app --user ada', 'what one person of a server said'],
  ],
  takesWords: true,
  onlyReads: true,
  options: (parser) =>
    parser
      .positional('query', { type: 'string', array: true, default: [], describe: 'words that were used; names find most' })
      .option('session', { type: 'string', requiresArg: true, describe: 'only this session' })
      .option('after', { coerce: pastTime('after'), requiresArg: true, describe: 'only since then: 3d, 2w, 2026-05-23' })
      .option('before', { coerce: pastTime('before'), requiresArg: true, describe: 'only before then' })
      .option('limit', { coerce: wholeNumber('limit', 1, 50), default: 10, requiresArg: true, describe: 'maximum number of hits' }),
  run: search,
})
