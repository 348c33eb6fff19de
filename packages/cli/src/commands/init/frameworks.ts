/** What an app adds for the framework that it uses. A test compares each line with the README that it comes from. */

export interface Framework {
  /** For a person. */
  readonly name: string
  /** The dependency that tells it. */
  readonly dependency: string
  /** Oldest major version. */
  readonly since: number
  readonly packages: readonly string[]
  /** Lines to add, imports first. */
  readonly lines: readonly string[]
  /** The package whose README explains more. */
  readonly readme: 'ai-sdk' | 'langchain' | 'openai-agents'
}

const HOME = '~/.hermes'
const SERVER_HOME = '~/.hermes-server'

const importOf = (names: string, from: string): string => `import { ${names} } from '${from}'`

const CREATE_HERMES = importOf('createHermes', '@hermes/core')
const CREATE_HOMES = importOf('createHermesHomes', '@hermes/core')
const FILES = importOf('fileSystemBackend', '@hermes/core/file-system')
const HERMES = `const hermes = createHermes({ storage: fileSystemBackend('${HOME}') })`
const HOMES = `const homes = createHermesHomes({ storage: fileSystemBackend('${SERVER_HOME}') })`
const OPENAI = importOf('openai', '@ai-sdk/openai')
const CHAT_OPENAI = importOf('ChatOpenAI', '@langchain/openai')
const CHAT_MODEL = "const model = new ChatOpenAI({ model: 'gpt-5-mini' })"

/** For an app without a framework. */
export const NO_FRAMEWORK = {
  packages: ['@hermes/core'],
  lines: [
    CREATE_HERMES,
    FILES,
    HERMES,
    "const today = hermes.session('monday')",
    "console.log(await today.systemBlock()) // '' — nothing is known yet; this text goes into the system prompt",
    'await today.end({ minTurns: 1 }) // the conversation is over; by default it learns from three turns on',
  ],
  readme: 'core',
} as const

/** The lines with this home instead of that of the README. */
export const withHome = (lines: readonly string[], home: string): readonly string[] => {
  const text = `'${home.replace(/[\\']/g, '\\$&')}'`
  return lines.map((line) => line.replace(`'${HOME}'`, () => text).replace(`'${SERVER_HOME}'`, () => text))
}

/** The first that fits is used. */
export const FRAMEWORKS: readonly (Framework & { readonly also?: string })[] = [
  {
    name: 'Next.js with the AI SDK',
    dependency: 'next',
    also: 'ai',
    since: 1,
    packages: ['@hermes/ai-sdk', '@hermes/core'],
    lines: [
      OPENAI,
      importOf('hermesTools, withHermes', '@hermes/ai-sdk'),
      CREATE_HOMES,
      FILES,
      HOMES,
      "const model = withHermes(openai('gpt-5'), homes)",
      'const tools = hermesTools(homes)',
    ],
    readme: 'ai-sdk',
  },
  {
    name: 'the AI SDK',
    dependency: 'ai',
    since: 5,
    packages: ['@hermes/ai-sdk', '@hermes/core'],
    lines: [
      OPENAI,
      importOf('hermesTools, withHermes', '@hermes/ai-sdk'),
      CREATE_HERMES,
      FILES,
      importOf('generateText, stepCountIs', 'ai'),
      HERMES,
      "const session = hermes.session('chat-42')",
      "const model = withHermes(openai('gpt-5'), session)",
      "const prompt = 'Please remember that I prefer tabs over spaces.'",
      'const { text } = await generateText({ model, tools: hermesTools(session), stopWhen: stepCountIs(5), prompt })',
      'await session.end() // the conversation is over: learns from what no review has read, from three turns on',
    ],
    readme: 'ai-sdk',
  },
  {
    name: 'the OpenAI Agents SDK',
    dependency: '@openai/agents',
    since: 0,
    packages: ['@hermes/openai-agents', '@hermes/core'],
    lines: [
      CREATE_HERMES,
      FILES,
      importOf('hermesTools, withHermes', '@hermes/openai-agents'),
      importOf('Agent, OpenAIProvider, run', '@openai/agents'),
      HERMES,
      "const session = hermes.session('chat-42')",
      "const model = withHermes(await new OpenAIProvider().getModel('gpt-5'), session)",
      "const agent = new Agent({ name: 'Assistant', model, tools: hermesTools(session) })",
      "const { finalOutput } = await run(agent, 'Please remember that I prefer tabs over spaces.')",
      'await session.end() // the conversation is over: learns from what no review has read, from three turns on',
    ],
    readme: 'openai-agents',
  },
  {
    name: 'LangChain agents',
    dependency: 'langchain',
    since: 1,
    packages: ['@hermes/langchain', '@hermes/core', '@langchain/core', '@langchain/langgraph'],
    lines: [
      CREATE_HOMES,
      FILES,
      importOf('hermesMiddleware', '@hermes/langchain/agent'),
      importOf('MemorySaver', '@langchain/langgraph'),
      CHAT_OPENAI,
      importOf('createAgent', 'langchain'),
      CHAT_MODEL,
      HOMES,
      'const agent = createAgent({ model, tools: [], checkpointer: new MemorySaver(), middleware: [hermesMiddleware(homes)] })',
    ],
    readme: 'langchain',
  },
  ...(['@langchain/langgraph', '@langchain/core', 'langchain'] as const).map(
    (dependency): Framework => ({
      name: dependency === '@langchain/langgraph' ? 'LangGraph' : 'LangChain',
      dependency,
      since: 0,
      packages: ['@hermes/langchain', '@hermes/core', ...(dependency === '@langchain/core' ? [] : ['@langchain/core'])],
      lines: [
        CREATE_HERMES,
        FILES,
        importOf('withHermes', '@hermes/langchain'),
        importOf('StringOutputParser', '@langchain/core/output_parsers'),
        importOf('ChatPromptTemplate', '@langchain/core/prompts'),
        CHAT_OPENAI,
        CHAT_MODEL,
        HERMES,
        "const prompt = ChatPromptTemplate.fromMessages([['system', 'Be brief.'], ['human', '{input}']])",
        'const pipe = prompt.pipe(withHermes(model, hermes)).pipe(new StringOutputParser())',
        "for await (const word of await pipe.stream({ input: 'Hello' }, { configurable: { sessionId: 'chat-43' } })) process.stdout.write(word)",
        "await hermes.session('chat-43').end()",
      ],
      readme: 'langchain',
    }),
  ),
]
