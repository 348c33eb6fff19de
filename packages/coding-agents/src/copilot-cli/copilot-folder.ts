/** Where Copilot CLI keeps its settings and transcripts. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export const copilotFolder = (): string => process.env['COPILOT_HOME'] || join(homedir(), '.copilot')
