/** The completion script for the shell that `SHELL` names. */
import { type Answer, EXIT, failed } from './answer.ts'
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
export const COMPLETION_HELP = `hermes completion

Print the completion script for the shell that SHELL names: bash, zsh or fish.

${formatExamples([
  ['source <(hermes completion)', 'completes commands in this bash or zsh'],
  ['hermes completion >> ~/.bashrc', 'in every new bash; in ~/.zshrc for zsh'],
  ['hermes completion > ~/.config/fish/completions/hermes.fish', 'in fish'],
])}
`

type Shell = 'bash' | 'zsh' | 'fish'

const shellIn = (path: string | undefined): Shell | undefined => {
  const name = path?.split(/[\\/]/).at(-1)
  return name === 'bash' || name === 'zsh' || name === 'fish' ? name : undefined
}

/** `script`: the parser's own script, for bash or zsh. */
export const completionAnswer = (script: string, shellPath: string | undefined): Answer => {
  const shell = shellIn(shellPath)
  if (shell === undefined) {
    const found = shellPath === undefined || shellPath === '' ? 'SHELL is not set' : `SHELL is '${shellPath}'`
    return failed({
      code: 'usage',
      message: `${found}, and there are completion scripts for bash, zsh and fish only. Name one of them: SHELL=bash hermes completion.`,
      exitCode: EXIT.usage,
    })
  }
  const text = shell === 'fish' ? FISH_SCRIPT : script
  return { value: { script: text }, text: () => text }
}
