/** The journal, the held proposals and the stored sessions of a home, whose code is loaded at the first call: no prompt needs it. */
import type { Journal, JournalOptions } from './journal/journal.ts'
import type { Pending, PendingOptions } from './journal/pending.ts'
import type { PendingDecisionDeps, PendingDecisions } from './review/decide-pending.ts'
import type { SessionHome } from './session/session-home.ts'
import type { SessionReader } from './session/session-reader.ts'
import { lateVerbs, loadOnce, withLate } from './shared/load-late.ts'
import { ok } from './shared/result.ts'

export const lateJournal = (options: JournalOptions): Journal => {
  const load = loadOnce(async () => (await import('./journal/journal.ts')).createJournal(options))
  const late = lateVerbs('The journal', load)
  return { append: late(({ append }) => append), list: late(({ list }) => list) }
}

export const latePending = (options: PendingOptions): Pending => {
  const load = loadOnce(async () => (await import('./journal/pending.ts')).createPending(options))
  const late = lateVerbs('The code of held proposals', load)
  return {
    hold: late(({ hold }) => hold),
    list: late(({ list }) => list),
    get: late(({ get }) => get),
    putBack: late(({ putBack }) => putBack),
    remove: late(({ remove }) => remove),
  }
}

export const lateDecisions = (deps: PendingDecisionDeps): PendingDecisions => {
  const load = loadOnce(async () => (await import('./review/decide-pending.ts')).pendingDecisions(deps))
  const late = lateVerbs('The code of held proposals', load)
  return {
    list: late(({ list }) => list),
    approve: late(({ approve }) => approve),
    reject: late(({ reject }) => reject),
    putBack: late(({ putBack }) => putBack),
  }
}

export const lateSessionReader = (home: SessionHome): SessionReader => {
  const load = loadOnce(async () => (await import('./session/session-reader.ts')).sessionReader(home))
  const what = 'The code that reads stored sessions'
  const late = lateVerbs(what, load)
  return {
    list: late(({ list }) => list),
    get: late(({ get }) => get),
    async nextBlock(prefix) {
      const block = await withLate(what, load, async ({ nextBlock }) => ok(await nextBlock(prefix)))
      if (block.ok) return block.value
      home.emit({ type: 'storage-failed', at: home.clock(), operation: 'sessions', error: block.error })
      return ''
    },
  }
}
