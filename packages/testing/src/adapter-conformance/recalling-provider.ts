/** A memory provider of the suite: it knows one fact for each of the user's messages, or fails. */
import type { MemoryProvider, ProviderToolCall, RecallQuery } from '@hermes/core/provider'

export interface RecallingProvider extends MemoryProvider {
  /** Every question that it was asked, by session and in order. */
  readonly queries: readonly RecallQuery[]
  /** Every call of its tool. */
  readonly toolCalls: readonly ProviderToolCall[]
}

export const SEARCH_TOOL = 'past_search'

/** How it recalls. Default: the fact for the message. */
export type Recalling = (query: RecallQuery) => string | Promise<string>

/** What the provider knows about a message. */
export const factFor = (text: string): string => `Long ago, "${text}" was answered with a poem.`

export const recallingProvider = (recalling: Recalling = ({ text }) => factFor(text)): RecallingProvider => {
  const queries: RecallQuery[] = []
  const toolCalls: ProviderToolCall[] = []
  return {
    name: 'conformance',
    queries,
    toolCalls,
    tools: [
      {
        name: SEARCH_TOOL,
        description: 'Searches what was said in the past.',
        inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      },
    ],
    initialize: () => ({
      prefetch: async (query) => {
        queries.push(query)
        return recalling(query)
      },
      callTool: async (call) => {
        toolCalls.push(call)
        return { found: `A poem about ${String(call.input['query'])}.` }
      },
    }),
  }
}
