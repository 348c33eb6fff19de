/** The port of a slash command, and what it may use. */
import type { Hermes } from '@hermes/core'
import type { Terminal } from '@hermes/example-chat-parts/terminal'

export interface CommandContext {
  readonly terminal: Terminal
  readonly hermes: Hermes
  /** Ends this session and starts a fresh one. */
  readonly startNewSession: () => Promise<void>
  /** Reviews the unread turns now. */
  readonly review: () => Promise<void>
  /** The chat ends after this command. */
  readonly quit: () => void
}

export interface Command {
  /** How it is typed, with its arguments: `/journal [n]`. */
  readonly usage: string
  readonly summary: string
  /** `argument`: what follows the name, trimmed. */
  readonly run: (argument: string, context: CommandContext) => Promise<void>
}
