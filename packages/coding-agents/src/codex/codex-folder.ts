/** Where Codex keeps its settings and transcripts. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export const codexFolder = (): string => process.env['CODEX_HOME'] || join(homedir(), '.codex')
