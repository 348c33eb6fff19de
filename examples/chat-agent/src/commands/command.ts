/** The port of a slash command, and what it may use. */
import type { Hermes, StorageBackend } from '@hermes/core'
import type { Terminal } from '../terminal/terminal.ts'

export interface CommandContext {
  readonly terminal: Terminal
  readonly hermes: Hermes
  readonly storage: StorageBackend
  /** Ends this session and starts a fresh one. */
  readonly startNewSession: () => Promise<void>
}

export interface Command {
  /** Without the slash. */
  readonly name: string
  /** How it is typed, with its arguments. */
  readonly usage: string
  readonly summary: string
  /** `argument`: what follows the name, trimmed. Resolves to `quit` when the chat is to end. */
  readonly run: (argument: string, context: CommandContext) => Promise<'quit' | undefined>
}
