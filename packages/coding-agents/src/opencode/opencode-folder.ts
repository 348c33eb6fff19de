/** Where opencode keeps its settings. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export const opencodeFolder = (): string => join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'opencode')
