/** `/help`: the commands and how to use a real model. */
import { DEFAULT_MODELS } from '../model/default-models.ts'
import { wrapText } from '../terminal/word-wrap.ts'
import type { Command } from './command.ts'

const USAGE_WIDTH = 14
const MODEL_WIDTH = 17

const MAX_TEXT_WIDTH = 80

const PARAGRAPHS = [
  'Ctrl-C stops an answer; twice at an empty prompt leaves. Ctrl-D leaves, too.',
  "What is remembered lives in the home's memories/MEMORY.md and USER.md, what was learned to do in skills/. A session starts with a frozen copy, so " +
    'what is added shows from the next session on (/new). --session ID brings back the snapshot and the counters of a session, not its messages: they are ' +
    'kept, without keys and passwords, only until a review has read them.',
  'Models, the first that is set wins; another one with --model NAME:',
]

const MODELS = [
  ['OPENAI_BASE_URL', 'any OpenAI-compatible server, with OPENAI_MODEL'],
  ['OPENAI_API_KEY', DEFAULT_MODELS.openai],
  ['ANTHROPIC_API_KEY', DEFAULT_MODELS.anthropic],
  ['OLLAMA_HOST', DEFAULT_MODELS.ollama],
] as const

/** `commands`: asked when it runs, so that the table can hold this command as well. */
export const helpCommand = (commands: () => readonly Command[]): Command => ({
  name: 'help',
  usage: '/help',
  summary: 'this text',
  run: (_argument, { terminal }) => {
    const { print, columns } = terminal
    const table = (rows: readonly (readonly [string, string])[], width: number): void => {
      for (const [left, right] of rows) print(wrapText(`  ${left.padEnd(width)} ${right}`, columns, ' '.repeat(width + 3)))
    }
    table(
      commands().map(({ usage, summary }) => [usage, summary] as const),
      USAGE_WIDTH,
    )
    for (const paragraph of PARAGRAPHS) print(`\n${wrapText(paragraph, Math.min(columns, MAX_TEXT_WIDTH))}`)
    table(MODELS, MODEL_WIDTH)
    return Promise.resolve(undefined)
  },
})
