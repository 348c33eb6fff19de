/** `hermes memory …` */
import type { Command } from '../../command.ts'
import { addCommand } from './add.ts'
import { removeCommand } from './remove.ts'
import { replaceCommand } from './replace.ts'
import { showCommand } from './show.ts'

export const memoryCommands: readonly Command[] = [showCommand, addCommand, replaceCommand, removeCommand]
