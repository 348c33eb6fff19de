/** What the model is shown: the frozen text of a session, the text of the next one, and how full the stores are. */
import { type Hermes, ok, type Result } from '@hermes/core'
import { sumLedger } from '@hermes/core/journal'
import { estimateTokens } from '@hermes/core/review'
import { readBudgets } from './memory.ts'
import type { PromptView } from './views.ts'

const MAX_SESSIONS = 100
const CACHE_DAYS_MS = 30 * 86_400_000

export const readPrompt = async (hermes: Hermes, asked: string | undefined): Promise<Result<PromptView>> => {
  const sessions = await hermes.sessions.list()
  if (!sessions.ok) return sessions
  const [newest] = sessions.value
  const id = asked ?? newest?.id
  const stored = id === undefined ? undefined : await hermes.sessions.get(id)
  if (stored && !stored.ok) return stored
  // The next session is compared with one of the same project.
  const project = stored?.value?.project
  const targets = ['memory', 'user', ...(project === undefined ? [] : (['project'] as const))] as const
  const [next, budgets] = await Promise.all([hermes.sessions.nextBlock('', project), readBudgets(hermes.memoryStore({ project }), targets)])
  const costs = await hermes.journal.list({ withCost: true, limit: 5_000, since: Math.max(0, (newest?.lastTurnAt ?? 0) - CACHE_DAYS_MS) })
  if (!costs.ok) return costs
  const { inputTokens, cachedInputTokens, runs } = sumLedger(costs.value).total
  const session = stored?.value && { ...stored.value, tokens: estimateTokens(stored.value.block) }
  return ok({
    sessions: sessions.value.slice(0, MAX_SESSIONS),
    session,
    next,
    nextTokens: estimateTokens(next),
    budgets,
    cache: { inputTokens, cachedInputTokens, runs },
  })
}
