/** What the command was asked for. */
import { parseArgs } from 'node:util'
import { isTemplateName, TEMPLATE_NAMES, type TemplateName } from './templates.ts'

export const USAGE = `Writes an app with a memory. It asks for what is not given.

  npm create @hermes
  npm create @hermes -- --template <name> <folder> [--install]

  <folder>                a new or an empty folder; its name is the name of the app
  -t, --template <name>   ${TEMPLATE_NAMES.join(', ')}
  --install               also run 'npm install'
  -h, --help              show this text
  -v, --version           show the version
`

export type Request =
  | { readonly kind: 'create'; readonly template: TemplateName | undefined; readonly folder: string | undefined; readonly install: boolean }
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'wrong'; readonly problem: string }

const OPTIONS = {
  template: { type: 'string', short: 't' },
  install: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

const wrong = (problem: string): Request => ({ kind: 'wrong', problem })

export const readArguments = (args: readonly string[]): Request => {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    const { template, install = false, help, version } = values
    if (help) return { kind: 'help' }
    if (version) return { kind: 'version' }
    if (positionals.length > 1) return wrong(`Name one folder, not ${positionals.length}: ${positionals.join(', ')}.`)
    if (template !== undefined && !isTemplateName(template))
      return wrong(`There is no template '${template}'. Choose one of: ${TEMPLATE_NAMES.join(', ')}.`)
    return { kind: 'create', template, folder: positionals[0], install }
  } catch (cause) {
    // Its first sentence names the option.
    const [problem = ''] = String(cause instanceof Error ? cause.message : cause).split('. ')
    return wrong(`${problem}. 'npm create @hermes -- --help' lists the options.`)
  }
}
