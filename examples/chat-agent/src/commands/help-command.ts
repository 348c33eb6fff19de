/** `/help`: the commands and how to use a real model. */
import { DEFAULT_MODELS } from '../model/default-models.ts'
import type { Command } from './command.ts'

const notes = `
Ctrl-C stops an answer; twice at an empty prompt leaves. Ctrl-D leaves, too.

What is remembered lives in the home's memories/MEMORY.md and USER.md. A session
starts with a frozen copy, so what you add shows from the next session on (/new).
What was said is not stored: --session ID brings back the snapshot and the
counters of a session, not its messages.

Models, the first that is set wins; another one with --model NAME:
  OPENAI_BASE_URL (+ OPENAI_MODEL)   any OpenAI-compatible server
  OPENAI_API_KEY                     ${DEFAULT_MODELS.openai}
  ANTHROPIC_API_KEY                  ${DEFAULT_MODELS.anthropic}
  OLLAMA_HOST                        ${DEFAULT_MODELS.ollama}`

/** `commands`: asked when it runs, so that the table can hold this command as well. */
export const helpCommand = (commands: () => readonly Command[]): Command => ({
  name: 'help',
  usage: '/help',
  summary: 'this text',
  run: (_argument, { terminal }) => {
    for (const { usage, summary } of commands()) terminal.print(`  ${usage.padEnd(13)} ${summary}`)
    terminal.print(notes)
    return Promise.resolve(undefined)
  },
})
