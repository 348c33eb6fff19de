/** The apps that can be written, each from folders of `templates/`. */

export interface Template {
  readonly label: string
  /** Of two files with one name, that of the later folder is written. */
  readonly folders: readonly string[]
  /** What shows that the app remembers. */
  readonly run: readonly string[]
  /** The environment variable that makes it use a real model. */
  readonly key: string
}

const TWO_RUNS = ['npm start "Remember that we deploy with Kamal."', 'npm start "What do we deploy with?"']

export const TEMPLATES = {
  'ai-sdk': { label: 'AI SDK, a chat in the terminal', folders: ['every', 'script', 'ai-sdk'], run: TWO_RUNS, key: 'OPENAI_API_KEY' },
  nextjs: { label: 'Next.js, a chat in the browser', folders: ['every', 'nextjs'], run: ['npm run dev'], key: 'OPENAI_API_KEY' },
  langchain: { label: 'LangChain, an agent', folders: ['every', 'script', 'langchain'], run: TWO_RUNS, key: 'OPENAI_API_KEY' },
  mcp: { label: 'MCP, a server and a client', folders: ['every', 'script', 'mcp'], run: TWO_RUNS, key: 'OPENAI_API_KEY' },
  'claude-code': {
    label: 'Claude Code, in an app of the Claude Agent SDK',
    folders: ['every', 'script', 'claude-code'],
    run: TWO_RUNS,
    key: 'ANTHROPIC_API_KEY',
  },
} as const satisfies Readonly<Record<string, Template>>

export type TemplateName = keyof typeof TEMPLATES

export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[]

export const isTemplateName = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name)
