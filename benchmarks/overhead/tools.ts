/** What the agent's tools take of each prompt, in tokens of a current tokenizer: name, description and JSON schema, as each adapter sends them. */
import { hermesTools } from '@hermes/ai-sdk'
import { createHermes, inMemoryBackend } from '@hermes/core'
import { hermesTools as hermesLangChainTools } from '@hermes/langchain'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { generateText, type wrapLanguageModel } from 'ai'
import { Tiktoken } from 'js-tiktoken/lite'
import o200k from 'js-tiktoken/ranks/o200k_base'
import { type Report, table } from '../report.ts'

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

export const measureTools = async (): Promise<Report> => {
  const encoding = new Tiktoken(o200k)
  const count = (value: unknown): number => encoding.encode(typeof value === 'string' ? value : JSON.stringify(value)).length
  const tokensOf = (adapter: string, tools: readonly SentTool[]): string => {
    const rows = tools.map((tool) => [tool.name, count(tool.description ?? ''), count(tool.parameters), count(tool)] as const)
    const sent = rows.reduce((total, [, , , all]) => total + all, 0)
    return table([`${adapter}, tokens (o200k)`, 'description', 'schema', 'sent'], [...rows, ['**together**', '', '', sent]])
  }
  return { blocks: [tokensOf('AI SDK', await sentByAiSdk()), tokensOf('LangChain', await sentByLangChain())] }
}
