/** Where pi keeps its settings and transcripts. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export const piFolder = (): string => process.env['PI_CODING_AGENT_DIR'] || join(homedir(), '.pi', 'agent')
