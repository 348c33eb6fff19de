/** The options of a program's command line, each with a problem that says what is right. */
import { parseArgs } from 'node:util'

/** What is wrong with the command line, in a sentence that says what is right. */
export class UsageError extends Error {}

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
