/** The coding agent that a command names. */
import { HOST_SETUPS, type HostSetup, type MemorySource, OTHER_SOURCES } from '@hermes/coding-agents'
import { type Answer, EXIT, failed } from '../../answer.ts'
import { closeNames } from '../../close-names.ts'

/** All that are looked for. */
export const MEMORY_SOURCES: readonly MemorySource[] = [...HOST_SETUPS, ...OTHER_SOURCES]

const findNamed = <Agent extends MemorySource>(name: string, agents: readonly Agent[]): Agent | Answer => {
  const found = agents.find((agent) => agent.name === name)
  if (found) return found
  const names = agents.map((agent) => agent.name)
  const [close] = closeNames(name, names)
  const meant = close === undefined ? '' : ` Did you mean '${close}'?`
  return failed({
    code: 'usage',
    message: `There is no coding agent '${name}'.${meant} There are: ${names.join(', ')}.`,
    exitCode: EXIT.usage,
  })
}

export const findSetup = (name: string): HostSetup | Answer => findNamed(name, HOST_SETUPS)

/** Also one that cannot be connected. */
export const findSource = (name: string): MemorySource | Answer => findNamed(name, MEMORY_SOURCES)

export const isFound = <Agent extends MemorySource>(found: Agent | Answer): found is Agent => 'remembered' in found
