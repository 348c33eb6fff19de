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
  readonly readme: 'ai-sdk' | 'langchain'
}

const importOf = (names: string, from: string): string => `import { ${names} } from '${from}'`

const CREATE_HERMES = importOf('createHermes', '@hermes/core')
const CREATE_HOMES = importOf('createHermesHomes', '@hermes/core')
const FILES = importOf('fileSystemBackend', '@hermes/core/file-system')
const HERMES = "const hermes = createHermes({ storage: fileSystemBackend('~/.hermes') })"
const HOMES = "const homes = createHermesHomes({ storage: fileSystemBackend('~/.hermes-server') })"

/** The first that fits is used. */
export const FRAMEWORKS: readonly (Framework & { readonly also?: string })[] = [
  {
    name: 'Next.js with the AI SDK',
    dependency: 'next',
    also: 'ai',
    since: 1,
    packages: ['@hermes/ai-sdk', '@hermes/core'],
    lines: [
      importOf('hermesTools, withHermes', '@hermes/ai-sdk'),
      CREATE_HOMES,
      FILES,
      HOMES,
      "const model = withHermes(openai('gpt-5'), homes) // wrapLanguageModel with hermesMiddleware(homes), in one call",
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
      importOf('hermesMiddleware, hermesTools', '@hermes/ai-sdk'),
      CREATE_HERMES,
      FILES,
      HERMES,
      "const session = hermes.session('chat-42')",
      "const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: hermesMiddleware(session) })",
      'const { text } = await generateText({ model, tools: hermesTools(session), stopWhen: stepCountIs(5), prompt })',
    ],
    readme: 'ai-sdk',
  },
  {
    name: 'LangChain agents',
    dependency: 'langchain',
    since: 1,
    packages: ['@hermes/langchain', '@hermes/core', '@langchain/core'],
    lines: [
      CREATE_HOMES,
      FILES,
      importOf('hermesMiddleware', '@hermes/langchain/agent'),
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
        HERMES,
        'const pipe = prompt.pipe(withHermes(model, hermes)).pipe(new StringOutputParser())',
      ],
      readme: 'langchain',
    }),
  ),
]
