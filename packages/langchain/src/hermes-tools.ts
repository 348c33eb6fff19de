/** The agent's memory and skill tools as LangChain tools, for `model.bindTools(…)` and for the middleware of `createAgent`. */
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
  /** Prefix of each tool name, for hosts that already have a tool called `memory`. Default: `''`. */
  readonly prefix?: string
  /** Calls name projects, so the memory tool has the target `project`. Default: only where `createHermes`, or the one session, has a project. */
  readonly projects?: boolean
  /** Called if a tool fails unexpectedly. Default: `console.warn`. */
  readonly onWarning?: HermesWarningListener
}

/** Finds the session of a tool call from the configuration that the framework passes to the tool. */
type FindSession = (config: unknown) => Session | undefined

/** What a tool needs to know about the agent that calls it. */
export interface ToolSurroundings {
  readonly findSession: FindSession
  readonly prefix: string
  /** The host's system message of the session's latest model call, which the state from LangGraph does not contain. */
  readonly systemMessageOf?: (session: Session) => unknown
  /** Contract: never throws. */
  readonly warn: HermesWarningListener
}

/** LangChain passes the whole call to a tool; LangGraph passes only the id. */
const callIdIn = (config: unknown): string | undefined => {
  const { toolCall, toolCallId } = asRecord(config)
  return [asRecord(toolCall)['id'], toolCallId].map(asText).find((id) => id !== '')
}

/** LangGraph passes the state of its graph to a running tool; the gate reads the sources of the text from it. */
const conversationIn = (config: unknown, systemMessage: unknown) => {
  const messages = asList(asRecord(asRecord(config)['state'])['messages'])
  return messages.length === 0 ? {} : { messages: toTurnMessages([systemMessage, ...messages].filter(isMessage)) }
}

/**
 * The session's tools under this prefix. Also registers them with the session as offered, so that their results do not count as outside
 * text.
 */
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

const allowsNull = ({ type, anyOf }: Readonly<Record<string, unknown>>): boolean =>
  type === undefined || anyOf !== undefined || asList(type).includes('null')

/** Without each null that the JSON schema does not allow: models may send null for a parameter they leave out. */
const withoutNulls = (input: unknown, schema: unknown): unknown => {
  const { properties, items } = asRecord(schema)
  if (Array.isArray(input)) return input.map((each) => withoutNulls(each, items))
  if (typeof input !== 'object' || input === null || properties === undefined) return input
  const known = asRecord(properties)
  const given = Object.entries(input).filter(([name, value]) => value !== null || allowsNull(asRecord(known[name])))
  return Object.fromEntries(given.map(([name, value]) => [name, withoutNulls(value, known[name])]))
}

/** LangChain checks the model's input before the tool runs: either the input alone, or a call that contains it. */
class HermesTool extends DynamicStructuredTool {
  override call(...[input, ...rest]: Parameters<DynamicStructuredTool['call']>): ReturnType<DynamicStructuredTool['call']> {
    const { type, args } = asRecord(input)
    const given = type === 'tool_call' ? { ...asRecord(input), args: withoutNulls(args, this.schema) } : withoutNulls(input, this.schema)
    return super.call(given, ...rest)
  }
}

/** `patterns`: names and schemas, the same in every session. The session that a tool writes to is found when the tool runs. */
export const toLangChainTools = (patterns: readonly ToolDefinition[], around: ToolSurroundings): StructuredToolInterface[] =>
  patterns.map(
    ({ name, description, jsonSchema }) =>
      new HermesTool({
        name,
        description,
        schema: jsonSchema,
        verboseParsingErrors: true,
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
 * `memory`, `skills_list`, `skill_view` and `skill_manage`, except disabled ones, in a fixed order, so that the provider's cache of the
 * tool list stays valid. One set serves all sessions of the target: the configuration of the call or of the surrounding run names the
 * session.
 */
export const hermesTools = (
  target: HermesTarget,
  { prefix = '', projects, onWarning }: HermesToolsOptions = {},
): StructuredToolInterface[] => {
  const warn = warningListener(onWarning)
  const patterns = baseOf(checkTarget('hermesTools', target)).offerTools({ prefix, projects })
  return toLangChainTools(patterns, { findSession: (config) => resolveSession(target, callOf(config), warn)?.session, prefix, warn })
}
