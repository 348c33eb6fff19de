/** The `hermes memory` verbs, in the order of the help text. */
import type { Verbs } from '../../command.ts'

export const memoryCommands: Verbs = {
  show: async () => (await import('./show.ts')).showCommand,
  add: async () => (await import('./add.ts')).addCommand,
  replace: async () => (await import('./replace.ts')).replaceCommand,
  remove: async () => (await import('./remove.ts')).removeCommand,
  pin: async () => (await import('./pin.ts')).pinCommand,
  unpin: async () => (await import('./pin.ts')).unpinCommand,
  archived: async () => (await import('./archived.ts')).archivedCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  why: async () => (await import('./why.ts')).whyCommand,
}
