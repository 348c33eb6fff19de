/** Where Gemini CLI keeps its settings and transcripts. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export const geminiFolder = (): string => join(process.env['GEMINI_CLI_HOME'] || homedir(), '.gemini')
