/** The home of the person who works with the agent. Nothing of a repository names it. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** `HERMES_HOME`, else `~/.hermes`. A path that is not absolute would be one in the repository. */
export const homeFolder = (): string => {
  const named = process.env['HERMES_HOME'] ?? ''
  if (/^~(?:[\\/]|$)/.test(named)) return join(homedir(), named.slice(1))
  return isAbsolute(named) ? named : join(homedir(), '.hermes')
}

/** What the programs of the agents keep there: no text of a conversation. */
export const agentsFolder = (): string => join(homeFolder(), '.hermes', 'agents')
