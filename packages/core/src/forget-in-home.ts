/** `hermes.forget` and `hermes.forgetSession`: erase from the documents of a home and from its memory provider. */
import type { ForgetDeps } from './erasure/forget.ts'
import type { Hermes } from './hermes.ts'
import { withLate } from './shared/load-late.ts'

export const forgetInHome = (deps: ForgetDeps): Pick<Hermes, 'forget' | 'forgetSession'> => ({
  async forgetSession(id) {
    const removed = await deps.sessions.forget(id)
    const erased = await deps.provider?.forget({ kind: 'session', sessionId: id, dryRun: false })
    return !removed.ok || erased === undefined || erased.ok ? removed : erased
  },
  forget: (target, options) =>
    withLate(
      'The code of erasure',
      () => import('./erasure/forget.ts'),
      ({ forget }) => forget(deps, target, options),
    ),
})
