/** Prints the result: values on stdout, everything else on stderr; with `--json`, one object on stdout. */
import { type Answer, EXIT, type ExitCode } from './answer.ts'
import { cleanText, escapeJson } from './terminal/clean-text.ts'
import { counted } from './terminal/format.ts'
import { hidePasswords } from './terminal/hide-passwords.ts'
import type { Terminal } from './terminal/terminal.ts'
import { wrapText } from './terminal/text-width.ts'
import type { World } from './world.ts'

export interface Report {
  /** Writes the text unchanged to stderr. */
  readonly say: (text: string) => void
  /** Repeated messages are shown once; stderr shows at most `WARNINGS_SHOWN`. */
  readonly warn: (message: string) => void
  /** `hint`: one more line on stderr, below the error. */
  readonly finish: (answer: Answer, hint?: string) => ExitCode
}

/** Limits warnings on stderr, so that many damaged files do not push the result off the screen. */
const WARNINGS_SHOWN = 20

export const createReport = ({ stdout, stderr }: World, terminal: Terminal, isJson: boolean): Report => {
  const warnings = new Set<string>()
  const tell = (label: string, message: string, paint: (text: string) => string): void => {
    stderr.write(`${paint(label)} ${wrapText(cleanText(message), terminal.errorColumns, label.length + 1)}\n`)
  }

  return {
    say: (text) => {
      if (!isJson) stderr.write(text)
    },
    warn: (message) => {
      if (warnings.has(message)) return
      warnings.add(message)
      if (!isJson && warnings.size <= WARNINGS_SHOWN) tell('warning:', message, terminal.errorPaint.yellow)
    },
    finish: ({ value, text, failure: told }, hint) => {
      // Such as an argument that is repeated because it is unknown.
      const failure = told && { ...told, message: hidePasswords(told.message) }
      const exitCode = failure ? (failure.exitCode ?? EXIT.failed) : EXIT.done
      if (isJson) {
        const { exitCode: _, isDecision: __, ...error } = failure ?? {}
        const printed = {
          ok: failure === undefined,
          value,
          ...(failure ? { error } : {}),
          ...(warnings.size > 0 ? { warnings: [...warnings] } : {}),
        }
        stdout.write(`${escapeJson(JSON.stringify(printed, null, 2))}\n`)
        return exitCode
      }
      if (text) stdout.write(text(terminal))
      const more = warnings.size - WARNINGS_SHOWN
      if (more > 0) tell('warning:', `${counted(more, 'more warning')}; --json lists all of them.`, terminal.errorPaint.yellow)
      if (failure?.isDecision) stderr.write(`${failure.message}\n`)
      else if (failure) tell('error:', failure.message, terminal.errorPaint.red)
      if (hint !== undefined) stderr.write(`${hint}\n`)
      return exitCode
    },
  }
}
