/** What --help and /help print. */

/** Which model is asked for if the environment names none, as `@hermes/cli/model` has it; a test of the repository keeps the two alike. */
export const DEFAULT_MODELS = { openai: 'gpt-6-luna', anthropic: 'claude-haiku-5-5', ollama: 'qwen3' } as const

export const HELP_TEXT = `Usage: npx -y pnpm@12 chat [options]

A chat in the terminal that remembers. Every 10 turns, and when a conversation
ends, a reviewer, which is your own model, proposes what is worth keeping, and
every 10 steps with tools which skill to learn or to improve; a gate decides;
the next session starts with it.

Options
  --home DIR      where memory lives (default: $HERMES_HOME, else ~/.hermes)
  --session ID    resume a session: its snapshot and counters go on
                  (its messages do not: they are kept, without
                  keys and passwords, only until a review has read them)
  --recall        search past sessions for what your message is about
                  (/recall WORDS does the same; kept in the home's recall/)
  --ui            open the inspector beside the chat: it prints a link
  --nudge N       turns between two reviews of memory, 0 = never (default: 10)
  --skill-nudge N
                  steps with tools between two reviews of skills (default: 10)
                  (both before what the home's config.yaml says)
  --record FILE   append every model request as one JSON line
  --model NAME    which model of the provider to use
  --help, --version

The model comes from the environment; the first that is set wins
  OPENAI_BASE_URL    any OpenAI-compatible server, with OPENAI_MODEL (and
                     OPENAI_API_KEY where the server wants one)
  OPENAI_API_KEY     OpenAI, OPENAI_MODEL (default: ${DEFAULT_MODELS.openai})
  ANTHROPIC_API_KEY  Anthropic, ANTHROPIC_MODEL (default: ${DEFAULT_MODELS.anthropic})
  OLLAMA_HOST        Ollama, OLLAMA_MODEL (default: ${DEFAULT_MODELS.ollama})
  none               a scripted stand-in that needs no key

With piped input each line is one turn:
  printf 'hello\\n/quit\\n' | npx -y pnpm@12 chat
`

export const HELP_PARAGRAPHS = [
  'Ctrl-C stops an answer; twice at an empty prompt leaves. Ctrl-D leaves, too. Several lines: paste them, end a line with \\, or press Alt-Enter.',
  "What is remembered lives in the home's memories/MEMORY.md and USER.md, what was learned to do in skills/. A session starts with a frozen copy, so " +
    'what is added shows from the next session on (/new). --session ID brings back the snapshot and the counters of a session, not its messages: they are ' +
    'kept, without keys and passwords, only until a review has read them.',
  'Models, the first that is set wins; another one with --model NAME:',
] as const

export const MODEL_TABLE = [
  ['OPENAI_BASE_URL', 'any OpenAI-compatible server, with OPENAI_MODEL'],
  ['OPENAI_API_KEY', DEFAULT_MODELS.openai],
  ['ANTHROPIC_API_KEY', DEFAULT_MODELS.anthropic],
  ['OLLAMA_HOST', DEFAULT_MODELS.ollama],
] as const
