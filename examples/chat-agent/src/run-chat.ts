/** The whole chat: options, model, storage, Hermes and the terminal, put together. Everything outside it comes as its `World`. */
import { hostModel } from '@hermes/ai-sdk'
import { createHermes, DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_SKILL_NUDGE_INTERVAL } from '@hermes/core'
import { fileSystemBackend, notesFolder, skillsFolder } from '@hermes/core/file-system'
import { interactiveTerminal } from '@hermes/example-chat-parts/interactive-terminal'
import { pipedTerminal } from '@hermes/example-chat-parts/piped-terminal'
import { UsageError } from '@hermes/example-chat-parts/read-flags'
import { recordingMiddleware } from '@hermes/example-chat-parts/recording-middleware'
import { settleWithin } from '@hermes/example-chat-parts/settle-within'
import { createNotices, type Terminal } from '@hermes/example-chat-parts/terminal'
import type { World } from '@hermes/example-chat-parts/world'
import { wrapLanguageModel } from 'ai'
import about from '../package.json' with { type: 'json' }
import { converse } from './chat.ts'
import { chooseModel, type ProviderModel } from './choose-model.ts'
import { createEventTeller } from './describe-event.ts'
import { readHomeConfig } from './home-config.ts'
import { openInspector } from './inspector.ts'
import { helpText, readOptions } from './options.ts'
import { TRUSTED_TOOLS } from './own-tools.ts'
import { chooseMemoryProvider } from './recall.ts'
import { createReviewCounter } from './review-counter.ts'

const FAILED = 1
const BAD_USAGE = 2
const WORD_DELAY_MS = 25
/** Hermes calls off what is under way and closes in less. */
const CLOSE_LIMIT_MS = 1_500

type Options = Exclude<ReturnType<typeof readOptions>, string>

const isInteractive = ({ stdin, stdout }: World): boolean => stdin.isTTY === true && stdout.isTTY === true

/** The models and the home that the options ask for. Throws a `UsageError`. */
const open = async (options: Options, world: World) => {
  const wordDelayMs = isInteractive(world) ? WORD_DELAY_MS : 0
  const chosen = await chooseModel(world.env, { modelName: options.model, wordDelayMs })
  if ('problem' in chosen) throw new UsageError(chosen.problem)
  const storage = fileSystemBackend(options.home)
  const config = await readHomeConfig(storage)
  const { provider, warning } = await chooseMemoryProvider(options, config)
  return { chosen, storage, config, provider, warnings: [...config.warnings, ...(warning === undefined ? [] : [warning])] }
}

const chatAt = async (
  terminal: Terminal,
  options: Options,
  opened: Awaited<ReturnType<typeof open>>,
  { userHome }: World,
): Promise<number> => {
  const { chosen, storage, config, provider, warnings } = opened
  const notices = createNotices(terminal)
  const recording =
    options.record &&
    recordingMiddleware(options.record, {
      isReview: ({ providerOptions }) => providerOptions?.['hermes']?.['purpose'] === 'review',
      onProblem: (problem) => notices.tell(problem, 'red'),
    })
  const recorded = (model: ProviderModel): ProviderModel => (recording ? wrapLanguageModel({ model, middleware: recording }) : model)
  const nudge = options.nudge ?? config.nudge.memoryInterval ?? DEFAULT_MEMORY_NUDGE_INTERVAL
  const skillNudge = options.skillNudge ?? config.nudge.skillInterval ?? DEFAULT_SKILL_NUDGE_INTERVAL
  // The stand-in knows only its few rules.
  const consolidates = config.curator.consolidate === true && !chosen.scripted
  const events = createEventTeller(notices)
  const counter = createReviewCounter(nudge)
  let inspector: Awaited<ReturnType<typeof openInspector>> | undefined
  const hermes = createHermes({
    storage,
    onEvent: (event) => {
      for (const see of [events.see, counter.see, inspector?.notify]) see?.(event)
    },
    memory: {
      ...config.memory,
      shared: config.shared.notes.map((folder) => notesFolder(folder, { from: options.home })),
      ...(provider ? { provider } : {}),
    },
    skills: { shared: config.shared.skills.map((folder) => skillsFolder(folder, { from: options.home })) },
    nudge: { memoryInterval: nudge, skillInterval: skillNudge },
    curator: { ...config.curator, consolidate: consolidates, ...(consolidates ? { model: hostModel(recorded(chosen.model)) } : {}) },
    trustedTools: TRUSTED_TOOLS,
  })
  const parts = { terminal, notices, events, counter, hermes, storage, provider, nudge, skillNudge, consolidates, warnings, userHome }
  try {
    if (options.ui) inspector = await openInspector(hermes, options.home)
    return await converse({ ...options, ...parts, link: inspector?.link, chosen: { ...chosen, model: recorded(chosen.model) } })
  } finally {
    terminal.close()
    inspector?.close()
    await settleWithin(hermes.close(), CLOSE_LIMIT_MS)
  }
}

const start = async (argv: readonly string[], world: World): Promise<number> => {
  const options = readOptions(argv, world)
  if (typeof options === 'string') {
    world.stdout.write(options === 'help' ? helpText() : `hermes chat agent ${about.version}\n`)
    return 0
  }
  const opened = await open(options, world)
  const terminal = isInteractive(world) ? interactiveTerminal(world) : pipedTerminal(world)
  const forget = world.onExit(() => terminal.close())
  try {
    return await chatAt(terminal, options, opened, world)
  } finally {
    terminal.close()
    forget()
  }
}

/** Resolves to the exit code; what went wrong is on stderr. Contract: never rejects, and when it is done nothing of it is left in the process. */
export const runChat = async (argv: readonly string[], world: World): Promise<number> => {
  try {
    return await start(argv, world)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isUsage = error instanceof UsageError
    world.stderr.write(isUsage ? `${message}\n${error.hint}` : `The chat ended unexpectedly: ${message}\n`)
    return isUsage ? BAD_USAGE : FAILED
  }
}
