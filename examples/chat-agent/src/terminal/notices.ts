/** Lines from behind the turn: shown at once at the prompt, held back while an answer is on its way to the screen. */
import type { Terminal } from './terminal.ts'

export interface Notices {
  tell(line: string): void
  hold(): void
  release(): void
}

export const createNotices = (terminal: Terminal): Notices => {
  const waiting: string[] = []
  let held = false
  return {
    tell: (line) => {
      if (held) waiting.push(line)
      else terminal.print(line)
    },
    hold: () => {
      held = true
    },
    release: () => {
      held = false
      for (const line of waiting.splice(0)) terminal.print(line)
    },
  }
}
