/** The `hermes recall` verbs, in the order of the help text. */
import type { Verbs } from '../../command.ts'

export const recallCommands: Verbs = {
  search: async () => (await import('./search.ts')).searchCommand,
  stats: async () => (await import('./stats.ts')).statsCommand,
  reindex: async () => (await import('./reindex.ts')).reindexCommand,
}
