/** What the command line and the environment may say, checked. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expandPath, readFlags, toCount, UsageError } from '@hermes/example-chat-parts/read-flags'
import type { World } from '@hermes/example-chat-parts/world'

const OPTIONS = {
  home: { type: 'string' },
  session: { type: 'string' },
  nudge: { type: 'string', example: '10' },
  'skill-nudge': { type: 'string', example: '10' },
  recall: { type: 'boolean' },
  embed: { type: 'string', example: 'local' },
  ui: { type: 'boolean' },
  record: { type: 'string' },
  model: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

/** What --help and /help print. */
export const helpText = (): string => readFileSync(new URL('../help.txt', import.meta.url), 'utf8')

/** A name for a session that a person did not name, readable and fresh: `chat-20261121-a1b2c3`. */
export const freshSessionId = (): string =>
  `chat-${new Date().toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(3).toString('hex')}`

const toEmbed = (name: string): 'local' => {
  if (name === 'local') return name
  throw new UsageError(`--embed is '${name}'; it takes local, the small model that works offline.`)
}

/** What is not given is undefined, but for the home and the session. Throws a `UsageError`. */
export const readOptions = (argv: readonly string[], world: Pick<World, 'env' | 'cwd' | 'userHome'>) => {
  const { env, cwd } = world
  const { session = freshSessionId(), ...raw } = readFlags(argv, OPTIONS)
  if (raw['help'] !== undefined || raw['version'] !== undefined) return raw['help'] === undefined ? 'version' : 'help'
  const options = {
    /** User turns between two memory reviews; 0 = off. */
    nudge: toCount('nudge', raw['nudge'], 'turns such as 10, or 0 for no memory reviews'),
    /** Model steps that call tools between two skill reviews; 0 = off. */
    skillNudge: toCount('skill-nudge', raw['skill-nudge'], 'tool steps such as 10, or 0 for no skill reviews'),
    /** Absolute path of the Hermes home. */
    home: expandPath(raw['home'] ?? (env['HERMES_HOME']?.trim() || '~/.hermes'), world),
    sessionId: session,
    /** Past sessions are searched. */
    recall: raw['recall'] !== undefined || raw['embed'] !== undefined,
    /** They are also searched by meaning, with this model. */
    embed: raw['embed'] === undefined ? undefined : toEmbed(raw['embed']),
    /** The inspector opens beside the chat. */
    ui: raw['ui'] !== undefined,
    /** Absolute path of the folder that the person started the chat in. */
    folder: env['npm_lifecycle_event'] === undefined ? cwd : resolve(cwd, env['INIT_CWD'] ?? '.'),
    /** Absolute path of the file that requests are recorded to. */
    record: raw['record'] === undefined ? undefined : expandPath(raw['record'], world),
    model: raw['model']?.trim(),
  }
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,78}[A-Za-z0-9_-])?$/.test(session))
    throw new UsageError(`--session is '${session}'; give up to 80 letters, digits, dots, dashes or underscores, such as work-notes.`)
  const empty = (['home', 'record', 'model'] as const).find((name) => raw[name]?.trim() === '')
  if (empty !== undefined) throw new UsageError(`--${empty} is empty; give a ${empty === 'model' ? "model's name" : 'path'} or omit it.`)
  return options
}
