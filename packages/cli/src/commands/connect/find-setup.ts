/** The coding agent that a command names. */
import { HOST_SETUPS, type HostSetup } from '@hermes/coding-agents'
import { type Answer, EXIT, failed } from '../../answer.ts'
import { closeNames } from '../../close-names.ts'

export const findSetup = (name: string): HostSetup | Answer => {
  const found = HOST_SETUPS.find((agent) => agent.name === name)
  if (found) return found
  const names = HOST_SETUPS.map((agent) => agent.name)
  const [close] = closeNames(name, names)
  const meant = close === undefined ? '' : ` Did you mean '${close}'?`
  return failed({
    code: 'usage',
    message: `There is no coding agent '${name}'.${meant} There are: ${names.join(', ')}.`,
    exitCode: EXIT.usage,
  })
}

export const isFound = (found: HostSetup | Answer): found is HostSetup => 'remembered' in found
