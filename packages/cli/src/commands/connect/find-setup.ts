/** The coding agent that a command names. */
import { HOST_SETUPS, type HostSetup } from '@hermes/coding-agents'
import { type Answer, EXIT, failed } from '../../answer.ts'
import { closeNames } from '../../close-names.ts'

const HOST_NAMES: readonly string[] = HOST_SETUPS.map(({ name }) => name)

export const findSetup = (name: string): HostSetup | Answer => {
  const found = HOST_SETUPS.find((setup) => setup.name === name)
  if (found) return found
  const [close] = closeNames(name, HOST_NAMES)
  const meant = close === undefined ? '' : ` Did you mean '${close}'?`
  return failed({
    code: 'usage',
    message: `There is no coding agent '${name}'.${meant} There are: ${HOST_NAMES.join(', ')}.`,
    exitCode: EXIT.usage,
  })
}

export const isSetup = (found: HostSetup | Answer): found is HostSetup => 'folders' in found
