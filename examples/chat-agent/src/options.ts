/** What the command line and the environment may say, checked. */
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { readFlags, UsageError } from '@hermes/example-chat-parts/read-flags'

const OPTIONS = {
  home: { type: 'string' },
  session: { type: 'string' },
  nudge: { type: 'string', example: '10' },
  'skill-nudge': { type: 'string', example: '10' },
  recall: { type: 'boolean' },
  ui: { type: 'boolean' },
  record: { type: 'string' },
  model: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

/** A name for a session that a person did not name, readable and fresh: `chat-20261121-a1b2c3`. */
export const freshSessionId = (): string =>
  `chat-${new Date().toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(3).toString('hex')}`

/** `~` and `~/…` stand for the person's own folder, also if no shell expanded them. */
const expandPath = (path: string): string => resolve(path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path)

const toCount = (name: string, text: string | undefined, unit: string, what: string): number | undefined => {
  if (text !== undefined && !/^\d{1,6}$/.test(text))
    throw new UsageError(`--${name} is '${text}'; give a whole number of ${unit} such as 10, or 0 for no ${what} reviews.`)
  return text === undefined ? undefined : Number(text)
}

/** What is not given is undefined, but for the home and the session. Throws a `UsageError`. */
export const readOptions = (argv: readonly string[], env: NodeJS.ProcessEnv) => {
  const { session = freshSessionId(), ...raw } = readFlags(argv, OPTIONS)
  if (raw['help'] !== undefined || raw['version'] !== undefined) return raw['help'] === undefined ? 'version' : 'help'
  const options = {
    /** User turns between two memory reviews; 0 = off. */
    nudge: toCount('nudge', raw['nudge'], 'turns', 'memory'),
    /** Model steps that call tools between two skill reviews; 0 = off. */
    skillNudge: toCount('skill-nudge', raw['skill-nudge'], 'tool steps', 'skill'),
    /** Absolute path of the Hermes home. */
    home: expandPath(raw['home'] ?? (env['HERMES_HOME']?.trim() || '~/.hermes')),
    sessionId: session,
    /** Past sessions are searched. */
    recall: raw['recall'] !== undefined,
    /** The inspector opens beside the chat. */
    ui: raw['ui'] !== undefined,
    /** Absolute path of the folder that the person started the chat in. */
    folder: env['npm_lifecycle_event'] === undefined ? process.cwd() : resolve(env['INIT_CWD'] ?? '.'),
    /** Absolute path of the file that requests are recorded to. */
    record: raw['record'] === undefined ? undefined : expandPath(raw['record']),
    model: raw['model']?.trim(),
  }
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,78}[A-Za-z0-9_-])?$/.test(session))
    throw new UsageError(`--session is '${session}'; give up to 80 letters, digits, dots, dashes or underscores, such as work-notes.`)
  const empty = (['home', 'record', 'model'] as const).find((name) => raw[name]?.trim() === '')
  if (empty !== undefined) throw new UsageError(`--${empty} is empty; give a ${empty === 'model' ? "model's name" : 'path'} or omit it.`)
  return options
}
