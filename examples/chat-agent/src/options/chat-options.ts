/** What the command line and the environment may say, checked. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { Environment } from '../model/choose-model.ts'
import type { RawOptions } from './parse-argv.ts'
import { freshSessionId } from './session-id.ts'

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

const countSchema = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)
  .optional()
const sessionSchema = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,78}[A-Za-z0-9_-])?$/)

/** `~` and `~/…` stand for the person's own folder, also where no shell expanded them. */
const expandPath = (path: string): string => resolve(path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path)

/** A wrong value comes back as a sentence that says what is right. */
export const toChatOptions = (raw: RawOptions, env: Environment, now: Date): ChatOptions | { readonly problem: string } => {
  const nudge = countSchema.safeParse(raw.nudge)
  if (!nudge.success) return { problem: `--nudge is '${raw.nudge}'; give a whole number of turns such as 10, or 0 for no memory reviews.` }
  const skillNudge = countSchema.safeParse(raw['skill-nudge'])
  if (!skillNudge.success) {
    return { problem: `--skill-nudge is '${raw['skill-nudge']}'; give a whole number of tool steps such as 10, or 0 for no skill reviews.` }
  }
  const session = sessionSchema.safeParse(raw.session ?? freshSessionId(now))
  if (!session.success) {
    return { problem: `--session is '${raw.session}'; give up to 80 letters, digits, dots, dashes or underscores, such as work-notes.` }
  }
  for (const name of ['home', 'record', 'model'] as const) {
    if (raw[name]?.trim() === '')
      return { problem: `--${name} is empty; give a ${name === 'model' ? "model's name" : 'path'} or leave it out.` }
  }
  return {
    home: expandPath(raw.home ?? (env['HERMES_HOME']?.trim() || '~/.hermes')),
    sessionId: session.data,
    nudge: nudge.data,
    skillNudge: skillNudge.data,
    record: raw.record === undefined ? undefined : expandPath(raw.record),
    model: raw.model?.trim(),
  }
}
