/** `hermes search`: finds words in all that the agent has learned. */
import { failed, isRefusal, type Refusal, usage } from '../../answer.ts'
import { pastTime, wholeNumber } from '../../arguments.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { PROJECT } from '../memory/open-memory.ts'
import type { Search } from './excerpt.ts'
import { matchWords } from './match-words.ts'
import { PLACES, type Place, searchPlace } from './places.ts'
import { type Group, renderGroups } from './search-view.ts'
import { mayHoldSessions, searchAllSessions } from './sessions.ts'

const DEFAULT_LIMIT = 5

/** Of past sessions alone. */
const SESSION_LIMIT = 10

const ONLY_SESSIONS = '--session, --project, --after and --before are about past sessions: leave --in out, or give --in sessions.'

const NO_SESSIONS = "What was said in past sessions is not stored: 'memory.provider: recall' in config.yaml stores it from then on."

/** A place that cannot be read is a warning, unless it is the only one asked for. */
const searchAll = async (places: readonly Place[], search: Search, context: Context): Promise<readonly Group[] | Refusal> => {
  const groups: Group[] = []
  for (const place of places) {
    const found = await searchPlace[place](search, context)
    if (found.ok) groups.push({ place, ...found.value })
    else if (places.length === 1) return failed(found.error)
    else context.warn(`${place} was not searched: ${found.error.message}`)
  }
  return groups
}

export const searchCommand = defineCommand({
  describe: 'Find words in memory, its archive, the journal, skills and past sessions.',
  examples: [
    ['hermes search pnpm', 'wherever it is, with the command that shows it'],
    ['hermes search deploy staging --in skills', 'both words, in one place'],
    ['hermes search invoice --limit 20 --json', 'more of each place, for programs'],
    ['hermes search boathouse kayak --after 2w', 'what was said in past sessions of the last two weeks, at length'],
    ['hermes search invoice --session chat-42', 'in one session'],
  ],
  takesWords: true,
  onlyReads: true,
  options: (parser) =>
    parser
      .positional('words', { type: 'string', array: true, default: [], describe: 'all of them must occur; case and accents do not count' })
      .option('in', { choices: PLACES, requiresArg: true, describe: 'only this place' })
      .option('session', { type: 'string', requiresArg: true, describe: 'only past sessions: this one' })
      .option('project', { ...PROJECT, describe: 'only past sessions: those that a session of this project finds' })
      .option('after', { coerce: pastTime('after'), requiresArg: true, describe: 'only past sessions: since then: 3d, 2w, 2026-05-23' })
      .option('before', { coerce: pastTime('before'), requiresArg: true, describe: 'only past sessions: before then' })
      .option('limit', {
        coerce: wholeNumber('limit', 1, 100),
        requiresArg: true,
        describe: `maximum number of hits of each place  [default: ${DEFAULT_LIMIT}, of past sessions alone: ${SESSION_LIMIT}]`,
      }),
  run: async (args, context) => {
    const { words, in: place, session, project, after, before, limit = DEFAULT_LIMIT, '--': rest = [] } = args
    const query = [...words, ...rest].join(' ').trim()
    const matcher = matchWords(query)
    if (!matcher) return failed(usage('Missing what to search for: hermes search <words>.'))
    const isNarrowed = session !== undefined || project !== undefined || after !== undefined || before !== undefined
    if (isNarrowed && place !== undefined && place !== 'sessions') return failed(usage(ONLY_SESSIONS))
    if (isNarrowed || place === 'sessions') {
      const now = context.clock()
      const within = {
        ...(session === undefined ? {} : { sessionId: session }),
        ...(project === undefined ? {} : { project }),
        ...(after ? { after: after(now) } : {}),
        ...(before ? { before: before(now) } : {}),
      }
      return searchAllSessions({ text: query, ...within, limit: args.limit ?? SESSION_LIMIT }, context)
    }
    const hasSessions = mayHoldSessions(context)
    const places = place === undefined ? PLACES.filter((one) => one !== 'sessions' || hasSessions) : [place]
    const groups = await searchAll(places, { query, matcher, limit }, context)
    if (isRefusal(groups)) return groups
    const elsewhere = place === undefined && !hasSessions ? NO_SESSIONS : ''
    return {
      value: { query, places: groups },
      text: (terminal) => renderGroups(groups, { matcher, now: context.clock(), elsewhere }, terminal),
    }
  },
})
