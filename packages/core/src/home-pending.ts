/** `hermes.pending`: the decisions of a person or the host's code on held proposals. */
import type { Home } from './home.ts'
import { type DecisionStores, type PendingDecisionDeps, type PendingDecisions, pendingDecisions } from './review/decide-pending.ts'
import { withLazy } from './shared/lazy.ts'
import type { Result } from './shared/result.ts'

/** `inOneUpdate` does the work of one decision over stores of its own. Default: it is written at once. */
export const homePending = (
  home: Home,
  inOneUpdate: <T>(work: (stores: DecisionStores) => Promise<Result<T>>) => Promise<Result<T>> = (work) =>
    home.inOneUpdate(home.actor, work),
): PendingDecisions => {
  const { pending, actor, clock } = home
  const approveMerge: PendingDecisionDeps['approveMerge'] = (held, over) =>
    withLazy(
      'The code of merges',
      () => import('./curator/merge/held-merge.ts'),
      (code) => code.approveMerge(held, { storage: over, clock }),
    )
  return pendingDecisions({ inOneUpdate, pending, actor, approveMerge })
}
