/** `hermes connect`: puts Hermes into a coding agent, or lists those of this machine. Shows what it changes and asks first. */
import { type ConnectPlan, connect, type HostSetup, type PlannedFolder, planConnection } from '@hermes/coding-agents'
import { type Answer, EXIT, failed, messageOf } from '../../answer.ts'
import { defineCommand, type GlobalArgs } from '../../command.ts'
import type { Context } from '../../context.ts'
import { findHome } from '../../home-folder.ts'
import { askFirst } from '../../terminal/ask-first.ts'
import { cleanText, oneLine } from '../../terminal/clean-text.ts'
import { wrapText } from '../../terminal/text-width.ts'
import { changedLines } from './changed-lines.ts'
import { findSetup, isFound } from './find-setup.ts'
import { importFrom } from './import-memory.ts'
import { listHosts } from './list-hosts.ts'

interface ConnectArgs {
  readonly host: string | undefined
  readonly yes: boolean | undefined
  readonly import: boolean | undefined
}

const FOLDERS: Readonly<Record<PlannedFolder['state'], string>> = { new: 'New folder', update: 'Newer files in', same: '' }

/** What is equal already is left out. */
const describePlan = ({ files, folders }: ConnectPlan): string => {
  const copied = folders.filter(({ state }) => state !== 'same').map(({ to, state }) => `${FOLDERS[state]} ${to}\n`)
  const changed = files
    .filter(({ before, after }) => before !== after)
    .map(({ path, before, after }) => {
      const lines = changedLines(before ?? '', after).map((line) => `  ${line}\n`)
      return `${before === undefined ? 'New file' : 'Changed file'} ${path}\n${lines.join('')}`
    })
  return cleanText([...copied, ...changed].join(''))
}

const carryOut = async (setup: HostSetup, yes: boolean | undefined, context: Context): Promise<Answer> => {
  const { home } = context
  const plan = await planConnection(home, setup)
  const value = { host: setup.name, files: plan.files.map(({ path }) => path), folders: plan.folders.map(({ to }) => to) }
  const changes = describePlan(plan)
  if (changes === '')
    return { value, text: () => `${setup.title} is connected with the memory in ${cleanText(home)} already. Nothing was changed.\n` }
  context.say(`${setup.title} will be connected with the memory in ${home}:\n${changes}`)
  const stopped = await askFirst(`Connect ${setup.title}?`, yes, context)
  if (stopped) return stopped
  await connect(home, setup, plan)
  const told = `${setup.title} is connected. ${setup.tryIt} 'hermes disconnect ${setup.name}' takes it back.`
  return { value, text: ({ columns }) => `${wrapText(oneLine(told), columns)}\n` }
}

const run = async ({ host, yes, user, import: isImport }: ConnectArgs & GlobalArgs, context: Context): Promise<Answer> => {
  if (host === undefined) return listHosts(context).catch((cause: unknown) => failed({ code: 'io', message: messageOf(cause) }))
  const setup = findSetup(host)
  if (!isFound(setup)) return setup
  if (isImport) return importFrom(setup, yes, context)
  const agentsHome = findHome(undefined, context.world)
  if (user !== undefined || context.home !== agentsHome)
    return failed({
      code: 'usage',
      message: `Coding agents use the memory in ${agentsHome}. For another one, set HERMES_HOME where the agent is started, and here.`,
      exitCode: EXIT.usage,
    })
  try {
    return await carryOut(setup, yes, context)
  } catch (cause) {
    return failed({ code: 'io', message: `${setup.title} could not be connected: ${messageOf(cause)}` })
  }
}

export const connectCommand = defineCommand<ConnectArgs>({
  describe: 'Connect a coding agent with this memory, or list those of this machine. Shows what it changes, and asks.',
  examples: [
    ['hermes connect', 'which are here, and what they remember by themselves'],
    ['hermes connect claude-code', 'a plugin with hooks, tools and a skill'],
    ['hermes connect claude-code --import', 'what it remembers by itself, into this memory; connects nothing'],
  ],
  withoutConfig: true,
  withoutHome: true,
  options: (parser) =>
    parser
      .positional('host', { type: 'string', describe: 'the coding agent, such as claude-code' })
      .option('import', { type: 'boolean', describe: 'add what the agent remembers by itself to this memory, instead of connecting it' })
      .option('yes', { alias: 'y', type: 'boolean', describe: 'do not ask' }),
  run,
})
