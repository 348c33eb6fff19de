/** The agent's memory and skill tools as tools of LangChain: for `model.bindTools(…)`, and for the middleware of `createAgent`. */
import type { Session } from '@hermes/core'
import type { ToolDefinition } from '@hermes/core/adapter'
import {
  asList,
  asRecord,
  asText,
  type HermesWarningListener,
  refusal,
  runTool,
  warningListener,
  warnUnexpected,
} from '@hermes/core/adapter'
import { DynamicStructuredTool, type StructuredToolInterface } from '@langchain/core/tools'
import { callOf } from './hermes-call.ts'
import { baseOf, checkTarget, type HermesTarget } from './hermes-target.ts'
import { isMessage } from './message-type.ts'
import { resolveSession } from './resolve-session.ts'
import { toTurnMessages } from './to-turn-messages.ts'

export interface HermesToolsOptions {
  /** In front of each name, for hosts where another tool is called `memory`. Default: `''`. */
  readonly prefix?: string
  /** Told when a tool fails unexpectedly. Default: `console.warn`. */
  readonly onWarning?: HermesWarningListener
}

/** The session of a call, by what the framework hands to a running tool. */
export type FindSession = (config: unknown) => Session | undefined

/** What a tool needs to know of the agent it runs in. */
export interface ToolSurroundings {
  readonly findSession: FindSession
  readonly prefix: string
  /** The host's system message of the session's newest model call; the state that LangGraph lends has none. */
  readonly systemMessageOf?: (session: Session) => unknown
  /** Contract: never throws. */
  readonly warn: HermesWarningListener
}

/** LangChain hands a tool the whole call; LangGraph its id beside it. */
const callIdIn = (config: unknown): string | undefined => {
  const { toolCall, toolCallId } = asRecord(config)
  return [asRecord(toolCall)['id'], toolCallId].map(asText).find((id) => id !== '')
}

/** LangGraph lends a running tool the state of its graph; whose words stand in it, the gate needs to know. */
const conversationIn = (config: unknown, systemMessage: unknown) => {
  const messages = asList(asRecord(asRecord(config)['state'])['messages'])
  return messages.length === 0 ? {} : { messages: toTurnMessages([systemMessage, ...messages].filter(isMessage)) }
}

/** The tools as a session knows them under this prefix; asking for them tells it that they are offered, so that what they answer is not text from outside. */
export const offeredTools = (session: Session, prefix: string) => session.offerTools({ prefix })

const answer = async (
  name: string,
  input: unknown,
  config: unknown,
  around: ToolSurroundings,
): Promise<Readonly<Record<string, unknown>>> => {
  const session = around.findSession(config)
  if (session === undefined) return refusal('There is no session for this conversation, so nothing can be remembered; go on without it.')
  const tool = offeredTools(session, around.prefix).find((candidate) => candidate.name === name)
  if (tool === undefined) return refusal(`The ${name} tool is switched off; go on without it.`)
  return tool.execute(input, { ...conversationIn(config, around.systemMessageOf?.(session)), toolCallId: callIdIn(config) })
}

/** `patterns`: names and schemas, the same in every session; which session a tool writes to is found when it runs. */
export const toLangChainTools = (patterns: readonly ToolDefinition[], around: ToolSurroundings): StructuredToolInterface[] =>
  patterns.map(
    ({ name, description, inputSchema }) =>
      new DynamicStructuredTool({
        name,
        description,
        schema: inputSchema,
        func: async (input: unknown, _runManager?: unknown, config?: unknown): Promise<string> =>
          JSON.stringify(
            await runTool(
              { name },
              () => answer(name, input, config, around),
              (cause) => warnUnexpected(around.warn, cause),
            ),
          ),
      }),
  )

/**
 * `memory`, `skills_list`, `skill_view` and `skill_manage`, less what is switched off, in a fixed order, so that the provider's cache of the tool list stays
 * warm. One set of them serves all sessions of the target: a call belongs to whoever the configuration of the call, or of the run around it, names.
 */
export const hermesTools = (target: HermesTarget, { prefix = '', onWarning }: HermesToolsOptions = {}): StructuredToolInterface[] => {
  const warn = warningListener(onWarning)
  const patterns = baseOf(checkTarget('hermesTools', target)).offerTools({ prefix })
  return toLangChainTools(patterns, { findSession: (config) => resolveSession(target, callOf(config), warn)?.session, prefix, warn })
}
