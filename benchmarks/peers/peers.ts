/** The peers, in the order of the tables. Figures that a peer does not offer are named with the reason. */

export const FIGURES = [
  'prefix',
  'processes',
  'writes',
  'many',
  'start',
  'overhead',
  'updates',
  'kill',
  'weight',
  'poisoning',
  'undo',
  'learning',
] as const

/** `prefix`: one process for all turns, `processes`: one for each. `many`: 1,000 writes. */
export type Figure = (typeof FIGURES)[number]

export interface PeerFacts {
  /** The folder of its adapter. */
  readonly name: string
  readonly title: string
  /** The packages that it is, of those in its package.json; their versions are reported. */
  readonly packages: readonly string[]
  /** What its turns are compared with. */
  readonly host: 'bare' | 'bare-langchain' | 'bare-anthropic' | 'none'
  /** Who stores the messages of a conversation. If the library does, that is part of the time of its turns. */
  readonly messages: 'app' | 'library'
  /** The peer whose store it has, if not one of its own. */
  readonly store?: string
  /** The part of the usual rounds, for a peer whose every write is a turn of its agent. Default: all. */
  readonly share?: number
  readonly notOffered?: Partial<Record<Figure, string>>
}

const NO_MEMORY = 'has no memory'
const SAME_STORE = 'the same store as above'

const without = (figures: readonly Figure[], reason: string): Partial<Record<Figure, string>> =>
  Object.fromEntries(figures.map((figure) => [figure, reason]))

const ONE_STATE = 'keeps no earlier state'
const LEARNS_ALIKE = 'learns as above'

const STORE_FIGURES = ['writes', 'many', 'start', 'updates', 'kill', 'poisoning', 'undo'] as const
const MEMORY_FIGURES = [...STORE_FIGURES, 'learning'] as const

export const PEERS: readonly PeerFacts[] = [
  {
    name: 'floor',
    title: 'a file, flock and fsync',
    packages: [],
    host: 'bare',
    messages: 'app',
    notOffered: { ...without(['prefix', 'processes', 'overhead', 'weight', 'poisoning', 'learning'], 'is no library'), undo: ONE_STATE },
  },
  {
    name: 'bare',
    title: 'AI SDK alone',
    packages: ['ai', '@ai-sdk/openai'],
    host: 'bare',
    messages: 'app',
    notOffered: without(MEMORY_FIGURES, NO_MEMORY),
  },
  {
    name: 'bare-langchain',
    title: 'LangChain alone',
    packages: ['langchain', '@langchain/core', '@langchain/openai'],
    host: 'bare-langchain',
    messages: 'app',
    notOffered: without(MEMORY_FIGURES, NO_MEMORY),
  },
  {
    name: 'bare-anthropic',
    title: "Anthropic's SDK alone",
    packages: ['@anthropic-ai/sdk'],
    host: 'bare-anthropic',
    messages: 'app',
    notOffered: without(MEMORY_FIGURES, NO_MEMORY),
  },
  { name: 'ours', title: 'Hermes, AI SDK', packages: ['@hermes/core', '@hermes/ai-sdk'], host: 'bare', messages: 'app' },
  {
    name: 'ours-langchain',
    title: 'Hermes, LangChain',
    packages: ['@hermes/core', '@hermes/langchain'],
    host: 'bare-langchain',
    messages: 'app',
    store: 'ours',
    notOffered: without(STORE_FIGURES, SAME_STORE),
  },
  {
    name: 'ours-store',
    title: 'Hermes, the store alone',
    packages: ['@hermes/core'],
    host: 'bare',
    messages: 'app',
    notOffered: {
      ...without(['prefix', 'processes', 'overhead', 'learning'], 'is the store, without conversations'),
      ...without(['poisoning', 'undo'], 'the gate and the journal are in front of the store'),
    },
  },
  {
    name: 'mastra',
    title: 'Mastra',
    packages: ['@mastra/core', '@mastra/memory', '@mastra/libsql'],
    host: 'bare',
    messages: 'library',
    notOffered: { undo: ONE_STATE },
  },
  {
    name: 'mastra-all',
    title: 'Mastra, all messages',
    packages: ['@mastra/core', '@mastra/memory', '@mastra/libsql'],
    host: 'bare',
    messages: 'library',
    store: 'mastra',
    notOffered: {
      ...without([...STORE_FIGURES, 'weight'], SAME_STORE),
      learning: LEARNS_ALIKE,
      processes: 'left out, because it takes long',
    },
  },
  {
    name: 'mastra-observations',
    title: 'Mastra, observations',
    packages: ['@mastra/core', '@mastra/memory', '@mastra/libsql'],
    host: 'bare',
    messages: 'library',
    notOffered: { undo: 'keeps no earlier notes' },
  },
  {
    name: 'mastra-observations-tenth',
    title: 'Mastra, observations at a tenth',
    packages: ['@mastra/core', '@mastra/memory', '@mastra/libsql'],
    host: 'bare',
    messages: 'library',
    store: 'mastra-observations',
    notOffered: {
      ...without([...STORE_FIGURES, 'weight', 'overhead'], SAME_STORE),
      ...without(['processes', 'learning'], 'is measured for its prompts alone'),
    },
  },
  { name: 'mem0', title: 'mem0', packages: ['mem0ai', 'better-sqlite3'], host: 'bare', messages: 'app' },
  {
    name: 'langgraph',
    title: 'LangGraph store',
    packages: ['@langchain/langgraph', '@langchain/langgraph-checkpoint-postgres', 'langchain'],
    host: 'bare-langchain',
    messages: 'library',
    notOffered: { undo: ONE_STATE },
  },
  {
    name: 'deepagents',
    title: 'deepagents',
    packages: ['deepagents', 'langchain'],
    host: 'bare-langchain',
    messages: 'library',
    notOffered: { undo: ONE_STATE },
  },
  {
    name: 'cloudflare',
    title: 'Cloudflare agents/context',
    packages: ['agents'],
    host: 'bare',
    messages: 'app',
    notOffered: { undo: ONE_STATE },
  },
  {
    name: 'voltagent',
    title: 'VoltAgent',
    packages: ['@voltagent/core', '@voltagent/libsql'],
    host: 'bare',
    messages: 'library',
    notOffered: { undo: ONE_STATE },
  },
  {
    name: 'voltagent-all',
    title: 'VoltAgent, all messages',
    packages: ['@voltagent/core', '@voltagent/libsql'],
    host: 'bare',
    messages: 'library',
    store: 'voltagent',
    notOffered: {
      ...without([...STORE_FIGURES, 'weight'], SAME_STORE),
      learning: LEARNS_ALIKE,
      processes: 'left out, because it takes long',
    },
  },
  {
    name: 'mcp-server-memory',
    title: 'MCP memory server',
    packages: ['@modelcontextprotocol/server-memory', '@modelcontextprotocol/sdk', '@ai-sdk/mcp'],
    host: 'bare',
    messages: 'app',
    notOffered: { undo: ONE_STATE },
  },
  {
    name: 'anthropic-memory-tool',
    title: 'Anthropic memory tool',
    packages: ['@anthropic-ai/sdk'],
    host: 'bare-anthropic',
    messages: 'app',
    notOffered: { undo: ONE_STATE },
  },
  {
    name: 'gemini-cli',
    title: 'Gemini CLI',
    packages: ['@google/gemini-cli-core'],
    host: 'none',
    messages: 'library',
    notOffered: { processes: 'left out, because it takes long', undo: 'asks before a change, and has no way back' },
  },
  {
    name: 'letta-code',
    title: 'Letta Code',
    packages: ['@letta-ai/letta-code'],
    host: 'none',
    messages: 'library',
    share: 0.1,
    notOffered: {
      ...without(['processes', 'many'], 'left out, because it takes long'),
      overhead: 'reaches its model over HTTP alone',
    },
  },
  {
    name: 'openclaw',
    title: 'OpenClaw',
    packages: ['openclaw'],
    host: 'bare',
    messages: 'library',
    notOffered: {
      processes: 'left out, because it takes long',
      overhead: 'calls its model over HTTP only',
      undo: 'keeps the text before a consolidation, but no command writes it back',
    },
  },
]

/** The reason why a peer has no such figure, if it has none. */
export const whyNot = (peer: PeerFacts, figure: Figure): string | undefined => peer.notOffered?.[figure]

export const peersOf = (figure: Figure, peers: readonly PeerFacts[]): readonly PeerFacts[] =>
  peers.filter((peer) => whyNot(peer, figure) === undefined)

/** The peer whose store is written before a conversation; none has no memory. */
export const storeOf = (peer: PeerFacts): string | undefined => peer.store ?? (whyNot(peer, 'writes') === undefined ? peer.name : undefined)
