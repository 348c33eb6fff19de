/** `hermes disconnect`: takes Hermes out of a coding agent; its files are then as they were before, byte for byte. */
import { connectionState, type Disconnected, disconnect } from '@hermes/coding-agents'
import { type Answer, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { askFirst } from '../../terminal/ask-first.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { findSetup, isFound } from './find-setup.ts'

interface DisconnectArgs {
  readonly host: string
  readonly yes: boolean | undefined
}

const describe = (title: string, { restored, edited, kept }: Disconnected): string =>
  cleanText(
    [
      `${title} is disconnected. What was learned stays in the memory.`,
      ...restored.map((path) => `As before: ${path}`),
      ...edited.map((path) => `Changed meanwhile, so only our part was taken out: ${path}`),
      ...kept.map((path) => `Not ours, so it stays: ${path}`),
    ].join('\n'),
  )

const run = async ({ host, yes }: DisconnectArgs, context: Context): Promise<Answer> => {
  const setup = findSetup(host)
  if (!isFound(setup)) return setup
  try {
    if ((await connectionState(context.home, setup)) === 'not-connected')
      return failed({ code: 'not_found', message: `${setup.title} is not connected with the memory in ${context.home}.` })
    const stopped = await askFirst(`Disconnect ${setup.title}?`, yes, context)
    if (stopped) return stopped
    const done = await disconnect(context.home, setup)
    return { value: { host, ...done }, text: () => `${done ? describe(setup.title, done) : ''}\n` }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    return failed({ code: 'io', message: `${setup.title} could not be disconnected: ${message}` })
  }
}

export const disconnectCommand = defineCommand<DisconnectArgs>({
  describe: 'Take Hermes out of a coding agent. Its files are then as they were before; what was learned stays.',
  examples: [['hermes disconnect claude-code', 'asks first']],
  withoutConfig: true,
  withoutHome: true,
  options: (parser) =>
    parser
      .positional('host', { type: 'string', demandOption: true, describe: 'the coding agent, such as claude-code' })
      .option('yes', { alias: 'y', type: 'boolean', describe: 'do not ask' }),
  run,
})
