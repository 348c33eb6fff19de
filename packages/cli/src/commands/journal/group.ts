/** The `hermes journal` verbs, in the order of the help text. The last one is also a verb of its own. */
import type { Verbs } from '../../command.ts'

export const journalCommands: Verbs = {
  list: async () => (await import('./list.ts')).listCommand,
  show: async () => (await import('./show.ts')).showCommand,
  ledger: async () => (await import('./ledger.ts')).ledgerCommand,
  pending: async () => (await import('./pending.ts')).pendingCommand,
  approve: async () => (await import('./decide.ts')).approveCommand,
  reject: async () => (await import('./decide.ts')).rejectCommand,
  undo: async () => (await import('../undo.ts')).undoCommand,
}
