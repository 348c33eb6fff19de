/** Does a call run inside a tool of an agent? Then its question is a model's, not the user's (DESIGN 6). */

import { asRecord, asText } from '@hermes/core/adapter'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'

/** The node in which the agents of LangChain and LangGraph run tools. */
const TOOLS_NODE = 'tools'

/** LangGraph's path of nodes to a call, `tools:<task>|model_request:<task>`. */
const passesTools = (configurable: unknown): boolean =>
  asText(asRecord(configurable)['checkpoint_ns'])
    .split('|')
    .some((segment) => segment.split(':')[0] === TOOLS_NODE)

/**
 * By the configuration of the call, or of the run around it, which LangChain keeps in its async context. Not seen: runs that were given a thread of their
 * own, and tools that a host runs itself; those a session recognises by what they are asked.
 */
export const runsInsideTool = (configurable?: unknown): boolean =>
  passesTools(configurable) || passesTools(AsyncLocalStorageProviderSingleton.getRunnableConfig()?.configurable)
