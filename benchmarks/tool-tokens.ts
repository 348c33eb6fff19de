/** What the agent's tools take of each prompt, in tokens of a current tokenizer: name, description and JSON schema, as each adapter sends them. */
import { hermesTools } from '@hermes/ai-sdk'
import { createHermes, inMemoryBackend } from '@hermes/core'
import { hermesTools as hermesLangChainTools } from '@hermes/langchain'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { generateText, type wrapLanguageModel } from 'ai'
import { Tiktoken } from 'js-tiktoken/lite'
import o200k from 'js-tiktoken/ranks/o200k_base'

interface SentTool {
  readonly name: string
  readonly description?: string | undefined
  readonly parameters: unknown
}

type Model = Parameters<typeof wrapLanguageModel>[0]['model']

/** As the SDK hands them to a provider. */
const sentByAiSdk = async (): Promise<readonly SentTool[]> => {
  const sent: SentTool[] = []
  const model: Model = {
    specificationVersion: 'v4',
    provider: 'recorder',
    modelId: 'recorder-1',
    supportedUrls: {},
    doGenerate: async ({ tools = [] }) => {
      for (const tool of tools)
        if (tool.type === 'function') sent.push({ name: tool.name, description: tool.description, parameters: tool.inputSchema })
      return {
        content: [{ type: 'text', text: 'Fine.' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: 1, text: 1, reasoning: undefined },
        },
        warnings: [],
      }
    },
    doStream: () => Promise.reject(new Error('not measured')),
  }
  const hermes = createHermes({ storage: inMemoryBackend() })
  await generateText({ model, prompt: 'Hello', tools: hermesTools(hermes.session('bench')) })
  await hermes.close()
  return sent
}

/** As LangChain's chat models convert them for a provider. */
const sentByLangChain = async (): Promise<readonly SentTool[]> => {
  const hermes = createHermes({ storage: inMemoryBackend() })
  const sent = hermesLangChainTools(hermes.session('bench')).map((tool) => {
    const { name, description, parameters } = convertToOpenAITool(tool).function
    return { name, description, parameters }
  })
  await hermes.close()
  return sent
}

/** Prints a table. */
export const run = async (): Promise<void> => {
  const encoding = new Tiktoken(o200k)
  const count = (value: unknown): number => encoding.encode(typeof value === 'string' ? value : JSON.stringify(value)).length
  for (const [adapter, tools] of [['AI SDK', await sentByAiSdk()] as const, ['LangChain', await sentByLangChain()] as const]) {
    console.log(`${adapter}, tokens (o200k)`)
    for (const tool of tools) {
      const { name, description = '', parameters } = tool
      console.log(
        `  ${name.padEnd(16)} description ${String(count(description)).padStart(4)}   schema ${String(count(parameters)).padStart(4)}   sent ${String(count(tool)).padStart(4)}`,
      )
    }
    console.log(`  ${'together'.padEnd(16)} ${String(tools.reduce((total, tool) => total + count(tool), 0)).padStart(49)}`)
  }
}

if (import.meta.main) await run()
