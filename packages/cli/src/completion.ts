/** The completion script for the shell that `SHELL` names. */
import { type Answer, failed, usage } from './answer.ts'
import { formatExamples } from './format-examples.ts'

/** Replaces the parser's own script for fish, which omits the name of the command and thus completes with the help text. */
const FISH_SCRIPT = `###-begin-hermes-completions-###
#
# Installation: hermes completion > ~/.config/fish/completions/hermes.fish
#
function __hermes_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    env SHELL=fish hermes --get-yargs-completions hermes $words "$current"
end
complete -c hermes -f -a '(__hermes_complete)'
complete -c hermes -l home -x -a '(__fish_complete_directories)'
###-end-hermes-completions-###
`

/** The parser itself has no help for this verb: it would print the script. */
export const COMPLETION_HELP = `hermes completion [shell]

Print the completion script for bash, zsh or fish: the shell that is named, else the one that SHELL names. It completes commands,
options, and the names and ids of what the home holds.

${formatExamples([
  ['source <(hermes completion)', 'in this bash or zsh'],
  ['hermes completion bash >> ~/.bashrc', 'in every new bash; zsh and ~/.zshrc alike'],
  ['hermes completion fish > ~/.config/fish/completions/hermes.fish', 'in fish'],
])}
`

/** The shell on the command line of `completion`, else that of the environment. */
export const shellOf = (argv: readonly string[], env: Readonly<Record<string, string | undefined>>): string | undefined => {
  const named = argv.slice(1).find((word) => !word.startsWith('-'))
  return named ?? env['SHELL']
}

type Shell = 'bash' | 'zsh' | 'fish'

const shellIn = (path: string | undefined): Shell | undefined => {
  const name = path?.split(/[\\/]/).at(-1)
  return name === 'bash' || name === 'zsh' || name === 'fish' ? name : undefined
}

/** `script`: the parser's own script, for bash or zsh. */
export const completionAnswer = (script: string, shellPath: string | undefined): Answer => {
  const shell = shellIn(shellPath)
  if (shell === undefined) {
    const found = shellPath === undefined || shellPath === '' ? 'SHELL is not set' : `The shell is '${shellPath}'`
    return failed(
      usage(`${found}, and there are completion scripts for bash, zsh and fish only. Name one of them: hermes completion bash.`),
    )
  }
  const text = shell === 'fish' ? FISH_SCRIPT : script
  return { value: { script: text }, text: () => text }
}

/** The parser chooses its script by the environment of the process, so a shell that is named goes there while it parses. */
export const parseForShell = async <T>(argv: readonly string[], parse: () => Promise<T>): Promise<T> => {
  const named = argv[0] === 'completion' ? shellOf(argv, {}) : undefined
  if (named === undefined) return parse()
  const before = process.env['SHELL']
  process.env['SHELL'] = named
  try {
    return await parse()
  } finally {
    if (before === undefined) delete process.env['SHELL']
    else process.env['SHELL'] = before
  }
}
