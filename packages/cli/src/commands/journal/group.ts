/** `hermes journal …` */
import type { Command } from '../../command.ts'
import { approveCommand, rejectCommand } from './decide.ts'
import { listCommand } from './list.ts'
import { pendingCommand } from './pending.ts'
import { showCommand } from './show.ts'

export const journalCommands: readonly Command[] = [listCommand, showCommand, pendingCommand, approveCommand, rejectCommand]
