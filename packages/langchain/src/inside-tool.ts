/** Whether a call runs inside a tool of an agent. If so, its question comes from a model, not from the user. */

import { asRecord, asText } from '@hermes/core/adapter'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'

/** The node in which the agents of LangChain and LangGraph run tools. */
const TOOLS_NODE = 'tools'

/** LangGraph's path of nodes to a call: `tools:<task>|model_request:<task>`. */
const passesTools = (configurable: unknown): boolean =>
  asText(asRecord(configurable)['checkpoint_ns'])
    .split('|')
    .some((segment) => segment.split(':')[0] === TOOLS_NODE)

/**
 * Checks the configuration of the call and of the surrounding run, which LangChain keeps in its async context. Cannot detect runs with a
 * thread of their own, nor tools that a host runs itself; a session recognises those by the text of their question.
 */
export const runsInsideTool = (configurable?: unknown): boolean =>
  passesTools(configurable) || passesTools(AsyncLocalStorageProviderSingleton.getRunnableConfig()?.configurable)
