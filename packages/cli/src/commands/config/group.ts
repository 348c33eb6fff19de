/** `hermes config …` */
import type { Command } from '../../command.ts'
import { checkCommand } from './check.ts'

export const configCommands: readonly Command[] = [checkCommand]
