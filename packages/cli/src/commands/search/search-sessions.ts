/** Searches past sessions through the memory provider, which has its own idea of what fits best. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { err, HermesError, ok, type Result } from '@hermes/core'
import type { Context } from '../../context.ts'
import { withRecall } from '../../with-recall.ts'
import { EXCERPT_CHARS, type Hit, type Hits, type Search } from './hit.ts'
import { shellQuote } from './shell-quote.ts'

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
    hits = turns.slice(0, limit).map(({ source, at, user, answer: said }) => {
      const text = [user === '' ? '' : `you: ${user}`, said === '' ? '' : `agent: ${said}`].filter((part) => part !== '').join(' · ')
      const command = `hermes search ${shellQuote(query)} --session ${shellQuote(source)}`
      return { id: source, title: 'session', at, command, text, matches: matcher.mark(text) }
    })
    return {}
  })
  return answer.failure ? err(new HermesError('io', answer.failure.message)) : ok({ hits, more })
}
