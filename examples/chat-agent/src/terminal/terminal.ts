/** The port between the chat and where it is shown: a real terminal, or plain streams. */
import type { Paint } from './paint.ts'

export type Entered =
  | { readonly kind: 'line'; readonly text: string }
  /** Nothing more comes: Ctrl-D, or the end of the piped input. */
  | { readonly kind: 'end' }
  /** The person wants out now: Ctrl-C. */
  | { readonly kind: 'leave' }

export interface Terminal {
  /** True where a person types and sees a prompt. */
  readonly interactive: boolean
  /** Width for wrapping; Infinity where nothing is wrapped. */
  readonly columns: number
  readonly paint: Paint
  readLine(): Promise<Entered>
  /** Contract: only while no prompt is shown, that is, not during `readLine`. */
  write(text: string): void
  /** Whole lines. Contract: allowed at any time; what the person is typing stays intact below it. */
  print(text: string): void
  /** Runs `work`; Ctrl-C aborts its signal instead of ending the chat. */
  whileBusy<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Contract: puts the terminal back as it was; a second call does nothing. */
  close(): void
}
