/** What the command line and the environment may say, checked. */
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** `value`: an example for a person who left it out. */
const OPTIONS = {
  home: { type: 'string', value: 'HOME' },
  session: { type: 'string', value: 'SESSION' },
  nudge: { type: 'string', value: '10' },
  'skill-nudge': { type: 'string', value: '10' },
  record: { type: 'string', value: 'RECORD' },
  model: { type: 'string', value: 'MODEL' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type OptionName = keyof typeof OPTIONS

export interface ChatOptions {
  /** Absolute path of the Hermes home. */
  readonly home: string
  readonly sessionId: string
  /** User turns between two memory reviews; 0 = off. `undefined`: as `config.yaml` has it; so below. */
  readonly nudge: number | undefined
  /** Model steps that call tools between two skill reviews; 0 = off. */
  readonly skillNudge: number | undefined
  /** Absolute path of the file that requests are recorded to. */
  readonly record: string | undefined
  readonly model: string | undefined
}

interface Problem {
  /** A sentence that says what is right. */
  readonly problem: string
}

const isOptionName = (name: string): name is OptionName => Object.hasOwn(OPTIONS, name)

/** A leading `--`, which some package runners pass on, is dropped. */
const parseArgv = (argv: readonly string[]): Partial<Record<OptionName, string>> | Problem => {
  const args = argv[0] === '--' ? argv.slice(1) : [...argv]
  const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, allowPositionals: true, tokens: true })
  const found: Partial<Record<OptionName, string>> = {}
  for (const token of tokens) {
    if (token.kind === 'positional')
      return { problem: `'${token.value}' is not understood: the chat takes options only. Start it, then type your message.` }
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    if (!isOptionName(name)) {
      const names = Object.keys(OPTIONS).map((known) => `--${known}`)
      return { problem: `There is no option ${rawName}. The options are ${names.join(', ')}.` }
    }
    const option = OPTIONS[name]
    if (option.type === 'boolean' && value !== undefined) return { problem: `${rawName} takes no value.` }
    if (option.type === 'string' && (value === undefined || (value.startsWith('-') && !token.inlineValue)))
      return { problem: `${rawName} needs a value: ${rawName} ${option.value}.` }
    found[name] = value ?? ''
  }
  return found
}

/** A name for a session that a person did not name, readable and fresh: `chat-20261121-a1b2c3`. */
export const freshSessionId = (): string =>
  `chat-${new Date().toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(3).toString('hex')}`

/** `~` and `~/…` stand for the person's own folder, also if no shell expanded them. */
const expandPath = (path: string): string => resolve(path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path)

const isCount = (text: string | undefined): boolean => text === undefined || /^\d{1,6}$/.test(text)
const toCount = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

export const readOptions = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ChatOptions | 'help' | 'version' | Problem => {
  const raw = parseArgv(argv)
  if ('problem' in raw) return raw
  if (raw.help !== undefined) return 'help'
  if (raw.version !== undefined) return 'version'
  const { nudge, 'skill-nudge': skillNudge, session = freshSessionId(), home, record, model } = raw
  if (!isCount(nudge)) return { problem: `--nudge is '${nudge}'; give a whole number of turns such as 10, or 0 for no memory reviews.` }
  if (!isCount(skillNudge))
    return { problem: `--skill-nudge is '${skillNudge}'; give a whole number of tool steps such as 10, or 0 for no skill reviews.` }
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,78}[A-Za-z0-9_-])?$/.test(session))
    return { problem: `--session is '${session}'; give up to 80 letters, digits, dots, dashes or underscores, such as work-notes.` }
  for (const name of ['home', 'record', 'model'] as const) {
    const wanted = name === 'model' ? "model's name" : 'path'
    if (raw[name]?.trim() === '') return { problem: `--${name} is empty; give a ${wanted} or leave it out.` }
  }
  return {
    home: expandPath(home ?? (env['HERMES_HOME']?.trim() || '~/.hermes')),
    sessionId: session,
    nudge: toCount(nudge),
    skillNudge: toCount(skillNudge),
    record: record === undefined ? undefined : expandPath(record),
    model: model?.trim(),
  }
}
