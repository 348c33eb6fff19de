/**
 * The table of docs/hosts.md, made of what the tests run: the releases are those that the workspace has installed, and each row names the test that shows it.
 * `node scripts/hosts.ts` writes it into the page.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AGENT_SDK_VERSION } from '../packages/coding-agents/test/support/host-programs.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = join(ROOT, 'docs/hosts.md')

export interface Host {
  readonly name: string
  /** Folders in the repository in which the host's package is installed, oldest release first. */
  readonly installed: readonly string[]
  /** Of a host that is too large for a dependency: the release that its test installs. */
  readonly release?: string
  /** What a user installs. */
  readonly adapter: string
  readonly block: string
  readonly tools: string
  readonly turns: string
  readonly reviews: string
  readonly streaming: string
  /** What is not possible, and why. */
  readonly not: string
  /** The folder or file of the tests, in the repository. */
  readonly tests: string
}

const AI_SDK = 'packages/ai-sdk/node_modules'
const LANGCHAIN = 'packages/langchain'

export const HOSTS: readonly Host[] = [
  {
    name: 'Vercel AI SDK',
    installed: [`${AI_SDK}/ai-v5`, `${AI_SDK}/ai-v6`, `${AI_SDK}/ai`],
    adapter: '`@hermes/ai-sdk`',
    block: 'yes',
    tools: 'yes',
    turns: 'yes',
    reviews: 'the wrapped model',
    streaming: 'yes',
    not: 'turns that a response cache around the wrapper answers: they do not reach it',
    tests: 'packages/ai-sdk/test',
  },
  {
    name: 'Mastra',
    installed: [`${AI_SDK}/@mastra/core`],
    adapter: '`@hermes/ai-sdk`, [these lines](#mastra)',
    block: 'yes',
    tools: 'yes; with its memory on, made for each request',
    turns: 'yes, with its memory on or off',
    reviews: 'the wrapped model',
    streaming: 'yes',
    not: 'models that Mastra makes of a string (`"openai/gpt-5"`): there is no model to wrap',
    tests: 'packages/ai-sdk/test/mastra.test.ts',
  },
  {
    name: 'OpenAI Agents SDK',
    installed: ['packages/openai-agents/node_modules/@openai/agents-oldest', 'packages/openai-agents/node_modules/@openai/agents'],
    adapter: '`@hermes/openai-agents`',
    block: 'yes',
    tools: 'yes',
    turns: 'yes, hand-offs included',
    reviews: 'the wrapped model',
    streaming: 'yes',
    not: 'realtime agents: their models are no `Model`. The history that OpenAI stores is hidden, and counts as text from outside',
    tests: 'packages/openai-agents/test',
  },
  {
    name: 'Claude Agent SDK',
    installed: [],
    release: AGENT_SDK_VERSION,
    adapter: '`@hermes/coding-agents`, [these lines](../packages/coding-agents/README.md#the-claude-agent-sdk)',
    block: 'yes',
    tools: 'yes',
    turns: 'yes, from the transcript that the SDK writes',
    reviews: '`query` without tools',
    streaming: 'yes',
    not: '`persistSession: false`: there is no transcript to read. A conversation that goes on in another process counts as text from outside up to there',
    tests: 'packages/coding-agents/test/hosts/agent-sdk.long.test.ts',
  },
  {
    name: 'LangChain agents, LangGraph, LCEL, chains',
    installed: [`${LANGCHAIN}/core-0.3/node_modules/langchain`, `${LANGCHAIN}/node_modules/langchain`],
    adapter: '`@hermes/langchain`',
    block: 'yes',
    tools: 'agents',
    turns: 'yes',
    reviews: 'the wrapped model; for a chain, the model it is given',
    streaming: 'yes',
    not: '`createAgent` before 1: it does not exist there',
    tests: 'packages/langchain/test',
  },
  {
    name: 'no framework',
    installed: [],
    adapter: '`@hermes/core`, [an adapter of your own](write-your-own.md#an-adapter)',
    block: 'yes',
    tools: 'yes',
    turns: 'yes',
    reviews: 'any function',
    streaming: 'yours',
    not: '',
    tests: 'packages/testing/test/write-your-own.test.ts',
  },
]

const versionIn = (folder: string): string => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).version

const HEAD = [
  'host',
  'releases tested',
  'install',
  'block',
  'tools',
  'turns',
  'model for reviews',
  'streaming',
  'not possible, and why',
  'tests',
]

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** As Markdown. */
export const hostTable = (): string => {
  const rows = HOSTS.map(({ name, installed, release, adapter, block, tools, turns, reviews, streaming, not, tests }) => [
    `**${name}**`,
    installed.map(versionIn).join(', ') || (release ?? '–'),
    adapter,
    block,
    tools,
    turns,
    reviews,
    streaming,
    not || '–',
    `[${tests.split('/').at(-1)}](../${tests})`,
  ])
  return [row(HEAD), row(HEAD.map(() => '---')), ...rows.map(row)].join('\n')
}

/** The page with this table between its two marks. */
export const withTable = (page: string, table: string): string =>
  page.replace(/(<!-- hosts: [^\n]*-->)[\s\S]*?(<!-- end -->)/, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`)

export const readPage = (): string => readFileSync(PAGE, 'utf8')

if (import.meta.main) writeFileSync(PAGE, withTable(readPage(), hostTable()))
