/** The example chat agent: options, model, storage, Hermes and the terminal, put together. */
import { hostModel } from '@hermes/ai-sdk'
import { createHermes, DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_SKILL_NUDGE_INTERVAL } from '@hermes/core'
import { fileSystemBackend, skillsFolder } from '@hermes/core/file-system'
import { interactiveTerminal } from '@hermes/example-chat-parts/interactive-terminal'
import { pipedTerminal } from '@hermes/example-chat-parts/piped-terminal'
import { UsageError } from '@hermes/example-chat-parts/read-flags'
import { recordingMiddleware } from '@hermes/example-chat-parts/recording-middleware'
import { settleWithin } from '@hermes/example-chat-parts/settle-within'
import { createNotices } from '@hermes/example-chat-parts/terminal'
import { wrapLanguageModel } from 'ai'
import about from '../package.json' with { type: 'json' }
import { runChat } from './chat.ts'
import { chooseCuratorModel, chooseModel, type ProviderModel } from './choose-model.ts'
import { createEventTeller } from './describe-event.ts'
import { HELP_TEXT } from './help-text.ts'
import { readHomeConfig } from './home-config.ts'
import { openInspector } from './inspector.ts'
import { readOptions } from './options.ts'
import { TRUSTED_TOOLS } from './own-tools.ts'
import { chooseMemoryProvider } from './recall.ts'
import { createReviewCounter } from './review-counter.ts'

const BAD_USAGE = 2
const WORD_DELAY_MS = 25
/** Hermes calls off what is under way and closes in less. */
const CLOSE_LIMIT_MS = 1_500

const main = async (): Promise<number> => {
  const { argv, env, stdin, stdout } = process
  const options = readOptions(argv.slice(2), env)
  if (typeof options === 'string') {
    stdout.write(options === 'help' ? HELP_TEXT : `hermes chat agent ${about.version}\n`)
    return 0
  }
  const interactive = stdin.isTTY && stdout.isTTY
  const chosen = await chooseModel(env, { modelName: options.model, wordDelayMs: interactive ? WORD_DELAY_MS : 0 })
  if ('problem' in chosen) throw new UsageError(chosen.problem)
  const storage = fileSystemBackend(options.home)
  const config = await readHomeConfig(storage)
  if ('problem' in config) {
    process.stderr.write(`${config.problem}\n`)
    return BAD_USAGE
  }
  const { provider, warning } = await chooseMemoryProvider(options, config)
  const merging = await chooseCuratorModel(config, chosen, env)

  const terminal = interactive ? interactiveTerminal(stdin, stdout) : pipedTerminal(stdin, stdout)
  process.on('exit', () => terminal.close())
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
  const consolidates = merging.model !== undefined
  const events = createEventTeller(notices)
  const counter = createReviewCounter(nudge)
  let inspector: Awaited<ReturnType<typeof openInspector>> | undefined
  const hermes = createHermes({
    storage,
    onEvent: (event) => {
      for (const see of [events.see, counter.see, inspector?.notify]) see?.(event)
    },
    memory: { ...config.memory, ...(provider ? { provider } : {}) },
    skills: { shared: config.sharedSkills.map((folder) => skillsFolder(folder, { from: options.home })) },
    nudge: { memoryInterval: nudge, skillInterval: skillNudge },
    curator: { ...config.curator, consolidate: consolidates, ...(merging.model ? { model: hostModel(recorded(merging.model)) } : {}) },
    trustedTools: TRUSTED_TOOLS,
  })
  const warnings = [...config.warnings, ...[merging.warning, warning].filter((text) => text !== undefined)]
  const parts = { terminal, notices, events, counter, hermes, storage, provider, nudge, skillNudge, consolidates, warnings }
  try {
    if (options.ui) inspector = await openInspector(hermes, options.home)
    return await runChat({ ...options, ...parts, link: inspector?.link, chosen: { ...chosen, model: recorded(chosen.model) } })
  } finally {
    terminal.close()
    inspector?.close()
    await settleWithin(hermes.close(), CLOSE_LIMIT_MS)
  }
}

/** A provider's open connection must not keep the program alive, and nothing already written may be cut off. */
const leave = (code: number): void => {
  process.stdout.write('', () => process.exit(code))
}

// `pnpm chat | head` closes the pipe early; that is no failure.
process.stdout.on('error', () => process.exit(0))
process.on('SIGTERM', () => process.exit(143))
// The SDK's own warnings would land in the middle of the screen.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

main().then(leave, (error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(error instanceof UsageError ? `${message}\nTry --help.\n` : `The chat ended unexpectedly: ${message}\n`)
  leave(error instanceof UsageError ? BAD_USAGE : 1)
})
