/** What the command line and the environment may say, checked. */
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const OPTIONS = {
  home: { type: 'string' },
  session: { type: 'string' },
  nudge: { type: 'string' },
  'skill-nudge': { type: 'string' },
  record: { type: 'string' },
  model: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type OptionName = keyof typeof OPTIONS
type RawOptions = Partial<Record<OptionName, string>>

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

/** A sentence that says what is right. */
interface Problem {
  readonly problem: string
}

const isOptionName = (name: string): name is OptionName => Object.hasOwn(OPTIONS, name)

/** A leading `--`, which some package runners pass on, is dropped. */
const parseArgv = (argv: readonly string[]): RawOptions | Problem => {
  const args = argv[0] === '--' ? argv.slice(1) : [...argv]
  const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, allowPositionals: true, tokens: true })
  const found: RawOptions = {}
  for (const token of tokens) {
    if (token.kind === 'positional')
      return { problem: `'${token.value}' is not understood: the chat takes options only. Start it, then type your message.` }
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    if (!isOptionName(name)) return { problem: `There is no option ${rawName}. The options are --${Object.keys(OPTIONS).join(', --')}.` }
    const takesValue = OPTIONS[name].type === 'string'
    if (!takesValue && value !== undefined) return { problem: `${rawName} takes no value.` }
    if (takesValue && (value === undefined || (value.startsWith('-') && !token.inlineValue)))
      return { problem: `${rawName} needs a value: ${rawName} ${name.endsWith('nudge') ? '10' : name.toUpperCase()}.` }
    found[name] = value ?? ''
  }
  return found
}

/** A name for a session that a person did not name, readable and fresh: `chat-20261121-a1b2c3`. */
export const freshSessionId = (): string =>
  `chat-${new Date().toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(3).toString('hex')}`

/** `~` and `~/…` stand for the person's own folder, also if no shell expanded them. */
const expandPath = (path: string): string => resolve(path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path)

const wrongValue = ({ nudge = '10', 'skill-nudge': skillNudge = '10', session = 'chat', ...raw }: RawOptions): string | undefined => {
  const count = /^\d{1,6}$/
  if (!count.test(nudge)) return `--nudge is '${nudge}'; give a whole number of turns such as 10, or 0 for no memory reviews.`
  if (!count.test(skillNudge))
    return `--skill-nudge is '${skillNudge}'; give a whole number of tool steps such as 10, or 0 for no skill reviews.`
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,78}[A-Za-z0-9_-])?$/.test(session))
    return `--session is '${session}'; give up to 80 letters, digits, dots, dashes or underscores, such as work-notes.`
  const empty = (['home', 'record', 'model'] as const).find((name) => raw[name]?.trim() === '')
  return empty && `--${empty} is empty; give a ${empty === 'model' ? "model's name" : 'path'} or leave it out.`
}

export const readOptions = (argv: readonly string[], env: NodeJS.ProcessEnv): ChatOptions | 'help' | 'version' | Problem => {
  const raw = parseArgv(argv)
  if ('problem' in raw) return raw
  if (raw.help !== undefined || raw.version !== undefined) return raw.help === undefined ? 'version' : 'help'
  const wrong = wrongValue(raw)
  if (wrong !== undefined) return { problem: wrong }
  const { nudge, 'skill-nudge': skillNudge, session, home, record, model } = raw
  return {
    home: expandPath(home ?? (env['HERMES_HOME']?.trim() || '~/.hermes')),
    sessionId: session ?? freshSessionId(),
    nudge: nudge === undefined ? undefined : Number(nudge),
    skillNudge: skillNudge === undefined ? undefined : Number(skillNudge),
    record: record === undefined ? undefined : expandPath(record),
    model: model?.trim(),
  }
}
