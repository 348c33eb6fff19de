/** What the model is shown: the frozen text byte for byte, and what the next session will be shown instead. */
import { storeName } from '../../api/memory-changes.ts'
import type { PromptView } from '../../api/views.ts'
import { DiffView } from '../parts/diff-view.tsx'
import { formatCount, formatInstant, plural } from '../parts/format.ts'
import { TextBlock } from '../parts/scroll-area.tsx'
import { Empty, Facts, Failure, Gauge } from '../parts/small-parts.tsx'
import { go, route } from '../state/route.ts'
import { useData } from '../state/use-data.ts'

const Budgets = ({ budgets, project }: Pick<PromptView, 'budgets'> & { readonly project: string | undefined }) => (
  <section class="budgets" aria-label="Budgets">
    {budgets.map(({ target, enabled, usedChars, charLimit }) =>
      enabled ? (
        <Gauge key={target} label={storeName(target, project)} used={usedChars} limit={charLimit} />
      ) : (
        <p key={target}>{storeName(target, project)} is switched off.</p>
      ),
    )}
  </section>
)

type ShownSession = NonNullable<PromptView['session']>

const formatTimes = (count: number): string => (count === 1 ? 'once' : `${formatCount(count)} times`)

const keptOf = ({ turnsWithBlock, blockChanges, blockChangedAt, block }: ShownSession): string => {
  const kept = `prefix kept for ${plural(turnsWithBlock, 'turn')}`
  const changed = blockChanges === 0 ? 'never changed' : `changed ${formatTimes(blockChanges)}, last on ${formatInstant(blockChangedAt)}`
  return `${kept}, ${changed}; ${formatCount(block.length)} characters`
}

const CacheMeter = ({ session, cache }: Pick<PromptView, 'session' | 'cache'>) => {
  const share =
    cache.inputTokens === 0
      ? undefined
      : `${Math.round((cache.cachedInputTokens / cache.inputTokens) * 100)} % of ${plural(cache.inputTokens, 'token')} in ${plural(cache.runs, 'background run')}`
  return (
    <Facts
      facts={[
        ['project', session?.project],
        ['frozen text', session && keptOf(session)],
        [
          'repeated input',
          session
            ? `about ${formatCount(session.tokens * Math.max(0, session.turnsWithBlock - 1))} tokens that a prefix cache can serve`
            : undefined,
        ],
        ['learning from cache', share],
      ]}
    />
  )
}

const Sessions = ({ sessions, session }: Pick<PromptView, 'sessions' | 'session'>) => (
  <label class="choice">
    Session
    <select value={session?.id ?? ''} onChange={(event) => go('prompt', { session: event.currentTarget.value })}>
      {session && !sessions.some(({ id }) => id === session.id) ? <option value={session.id}>{session.id}</option> : null}
      {sessions.map(({ id, lastTurnAt, userTurns }) => (
        <option key={id} value={id}>
          {id} · {plural(userTurns, 'turn')} · {formatInstant(lastTurnAt)}
        </option>
      ))}
    </select>
  </label>
)

const Frozen = ({ session }: { readonly session: ShownSession }) => (
  <section aria-label="Frozen text">
    <h2>In the prompt of this session</h2>
    <p class="quiet">
      Frozen {formatInstant(session.blockChangedAt || session.startedAt)}; the same bytes until the session ends. About{' '}
      {formatCount(session.tokens)} tokens.
      {session.outsideSeen ? ' Text from outside was in sight.' : ''}
    </p>
    {session.block === '' ? (
      <Empty>Nothing: memory was empty when the session began.</Empty>
    ) : (
      <TextBlock label="Frozen text" text={session.block} />
    )}
  </section>
)

export const Prompt = () => {
  const { data, error } = useData<PromptView>('prompt', { session: route.value.params['session'] })
  if (!data) return <Failure message={error} />
  const { sessions, session, next, nextTokens, budgets, cache } = data
  return (
    <>
      <header class="head">
        <h1>Prompt</h1>
        {session ? <Sessions sessions={sessions} session={session} /> : null}
      </header>
      <Failure message={error} />
      <Budgets budgets={budgets} project={session?.project} />
      <CacheMeter session={session} cache={cache} />
      {session ? <Frozen session={session} /> : null}
      <section aria-label="Next session">
        <h2>{session ? 'What changes in the next session' : 'In the prompt of the next session'}</h2>
        <p class="quiet">About {formatCount(nextTokens)} tokens, with the catalogue of skills.</p>
        {session && session.block === next ? <Empty>Nothing: the next session gets the same text.</Empty> : null}
        {session && session.block !== next ? <DiffView before={session.block} after={next} /> : null}
        {session ? null : next === '' ? <Empty>Nothing is stored yet.</Empty> : <TextBlock label="Next text" text={next} />}
      </section>
    </>
  )
}
