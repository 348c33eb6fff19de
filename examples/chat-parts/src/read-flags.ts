/** The options of a program's command line, each with a problem that says what is right. */
import { join, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import type { World } from './world.ts'

/** What is wrong with how the program was started, in a sentence that says what is right. */
export class UsageError extends Error {
  /** Where a person finds more; empty if the sentence says all. */
  readonly hint: string

  constructor(message: string, hint = 'Try --help.\n') {
    super(message)
    this.hint = hint
  }
}

type Flags = Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string; readonly example?: string }>>

/** Each option that was given, with its value; `''` for a switch. A leading `--`, which some package runners pass on, is dropped. Throws a `UsageError`. */
export const readFlags = (argv: readonly string[], known: Flags): Readonly<Record<string, string>> => {
  const args = argv[0] === '--' ? argv.slice(1) : [...argv]
  const { tokens } = parseArgs({ args, options: known, strict: false, allowPositionals: true, tokens: true })
  const found: Record<string, string> = {}
  for (const token of tokens) {
    if (token.kind === 'positional')
      throw new UsageError(`'${token.value}' is not understood: the chat takes options only. Start it, then type your message.`)
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    if (!Object.hasOwn(known, name))
      throw new UsageError(`There is no option ${rawName}. The options are --${Object.keys(known).join(', --')}.`)
    const takesValue = known[name]?.type === 'string'
    if (!takesValue && value !== undefined) throw new UsageError(`${rawName} takes no value.`)
    if (takesValue && (value === undefined || (value.startsWith('-') && !token.inlineValue)))
      throw new UsageError(`${rawName} needs a value: ${rawName} ${known[name]?.example ?? name.toUpperCase()}.`)
    found[name] = value ?? ''
  }
  return found
}

/** Absolute. `~` and `~/…` stand for the person's own folder, also if no shell expanded them. */
export const expandPath = (path: string, { cwd, userHome }: Pick<World, 'cwd' | 'userHome'>): string =>
  resolve(cwd, path === '~' || path.startsWith('~/') ? join(userHome, path.slice(1)) : path)

/** The person's own folder as `~`. */
export const shortPath = (path: string, { userHome }: Pick<World, 'userHome'>): string =>
  `${path}${sep}`.startsWith(`${userHome}${sep}`) ? `~${path.slice(userHome.length)}` : path

/** Undefined if it was not given. `what`: what a number stands for, and 0, as in `turns such as 10, or 0 for no reviews`. Throws a `UsageError`. */
export const toCount = (flag: string, text: string | undefined, what: string): number | undefined => {
  if (text !== undefined && !/^\d{1,6}$/.test(text)) throw new UsageError(`--${flag} is '${text}'; give a whole number of ${what}.`)
  return text === undefined ? undefined : Number(text)
}
