/** The three majors of `ai` under test, with the types of the newest: everything that the suites use exists in all of them. */
import type { ModelMessage } from 'ai'
import * as v7 from 'ai'
import * as v5 from 'ai-v5'
import * as v6 from 'ai-v6'
import type { Specification } from './scripted-model.ts'

// Otherwise the SDK prints its own warnings.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

type Ai = typeof v7

export interface Major {
  readonly name: string
  readonly specification: Specification
  readonly ai: Ai
  readonly Agent: Ai['ToolLoopAgent']
}

export const MAJORS: readonly Major[] = [
  // The agent's option is `system` in ai 5 and `instructions` later; the hosts pass both.
  { name: 'ai 5', specification: 'v2', ai: v5 as unknown as Ai, Agent: v5.Experimental_Agent as unknown as Ai['ToolLoopAgent'] },
  { name: 'ai 6', specification: 'v3', ai: v6 as unknown as Ai, Agent: v6.ToolLoopAgent as unknown as Ai['ToolLoopAgent'] },
  { name: 'ai 7', specification: 'v4', ai: v7, Agent: v7.ToolLoopAgent },
]

interface Responded {
  readonly responseMessages?: PromiseLike<readonly ModelMessage[]> | readonly ModelMessage[]
  readonly response: PromiseLike<{ readonly messages: readonly ModelMessage[] }> | { readonly messages: readonly ModelMessage[] }
}

/** All messages that a call added to the conversation; in ai 7, `response` contains only those of the last step. */
export const addedMessages = async (result: Responded): Promise<readonly ModelMessage[]> =>
  (await result.responseMessages) ?? (await result.response).messages
