/** Splits the command line into named options; says what is right where it is not understood. */
import { parseArgs } from 'node:util'

export interface RawOptions {
  readonly home?: string
  readonly session?: string
  readonly nudge?: string
  readonly 'skill-nudge'?: string
  readonly record?: string
  readonly model?: string
  readonly help?: boolean
  readonly version?: boolean
}

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

const isOptionName = (name: string): name is keyof typeof OPTIONS => Object.hasOwn(OPTIONS, name)

/** A leading `--`, which some package runners pass on, is dropped. */
export const parseArgv = (argv: readonly string[]): RawOptions | { readonly problem: string } => {
  const args = argv[0] === '--' ? argv.slice(1) : [...argv]
  const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, allowPositionals: true, tokens: true })
  const found: Record<string, string | boolean> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') {
      return { problem: `'${token.value}' is not understood: the chat takes options only. Start it, then type your message.` }
    }
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    if (!isOptionName(name))
      return {
        problem: `There is no option ${rawName}. The options are ${Object.keys(OPTIONS)
          .map((known) => `--${known}`)
          .join(', ')}.`,
      }
    if (OPTIONS[name].type === 'boolean') {
      if (value !== undefined) return { problem: `${rawName} takes no value.` }
      found[name] = true
      continue
    }
    if (value === undefined || (value.startsWith('-') && !token.inlineValue)) {
      return { problem: `${rawName} needs a value: ${rawName} ${name.endsWith('nudge') ? '10' : name.toUpperCase()}.` }
    }
    found[name] = value
  }
  return found
}
