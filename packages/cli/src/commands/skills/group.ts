/** `hermes skills …` */
import type { Command } from '../../command.ts'
import { listCommand } from './list.ts'
import { manageCommand } from './manage.ts'
import { showCommand } from './show.ts'
import { unmanageCommand } from './unmanage.ts'
import { usageCommand } from './usage.ts'

export const skillsCommands: readonly Command[] = [listCommand, showCommand, usageCommand, manageCommand, unmanageCommand]
