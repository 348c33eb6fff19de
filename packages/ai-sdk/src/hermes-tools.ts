/** The agent's memory and skill tools as plain objects for the `tools` option of ai 5, 6 and 7. */
import type {
  MemoryToolInput,
  MemoryToolResult,
  SkillListToolInput,
  SkillListToolResult,
  SkillManageInput,
  SkillManageToolResult,
  SkillViewToolInput,
  SkillViewToolResult,
  ToolContext,
  ToolDefinition,
} from '@hermes/core/adapter'
import { asList, asRecord, asText, type HermesTarget, runTool, toolsToOffer } from '@hermes/core/adapter'
import type { Schema } from 'ai'
import { toTurnMessages } from './to-turn-messages.ts'

/** The fields that Hermes reads of the options which the SDK passes to a tool. */
export interface HermesToolCall {
  readonly messages: readonly unknown[]
  readonly toolCallId?: string
}

export interface HermesTool<Input = unknown, Output = unknown> {
  readonly description: string
  readonly inputSchema: Schema<Input>
  /** Contract: never rejects; a refusal is a result for the model to read. */
  readonly execute: (input: Input, options: HermesToolCall) => Promise<Output>
}

/** Input and output of each tool, by its name without the prefix. */
export interface HermesToolTypes {
  readonly memory: HermesTool<MemoryToolInput, MemoryToolResult>
  readonly skills_list: HermesTool<SkillListToolInput, SkillListToolResult>
  readonly skill_view: HermesTool<SkillViewToolInput, SkillViewToolResult>
  readonly skill_manage: HermesTool<SkillManageInput, SkillManageToolResult>
}

/** Names of the tools without the prefix. */
export type HermesToolName = keyof HermesToolTypes

/**
 * A tool that the host disabled in `createHermes` is in this type but not in the object: the SDK's tool sets allow no optional keys. Use
 * `only` for a type without it.
 */
export type HermesTools<Prefix extends string = '', Name extends HermesToolName = HermesToolName> = {
  readonly [Each in Name as `${Prefix}${Each}`]: HermesToolTypes[Each]
}

export interface HermesToolsOptions<Prefix extends string = '', Name extends HermesToolName = HermesToolName> {
  /** Prefix of each tool name, for hosts that already have a tool called `memory`. Default: `''`. */
  readonly prefix?: Prefix
  /** The tools to offer; a disabled tool throws a TypeError. Default: all enabled tools. */
  readonly only?: readonly Name[]
  /** Calls name projects, so the memory tool has the target `project`. Default: only where `createHermes`, or the one session, has a project. */
  readonly projects?: boolean
}

/** By which the SDK recognises the result of its own `jsonSchema()`: the first in every major, the second in ai 5. */
const SCHEMA = Symbol.for('vercel.ai.schema')
const VALIDATOR = Symbol.for('vercel.ai.validator')

/** The SDK shows a model the JSON schema, and checks the model's input against ours, which may accept more. */
const schemaOf = ({ inputSchema, jsonSchema }: ToolDefinition): Schema => {
  const validate = (value: unknown) => {
    const checked = inputSchema.safeParse(value)
    return checked.success ? { success: true, value: checked.data } : checked
  }
  const described: unknown = { [SCHEMA]: true, [VALIDATOR]: true, jsonSchema, validate }
  // The symbols of the type are private to the SDK, and differ from one major to the next.
  return described as Schema
}

/** The gate needs to know the sources of the turn's text, and the framework's own messages contain them. */
export const toToolContext = ({ messages, toolCallId }: HermesToolCall): ToolContext => {
  const said = asList(messages).map((message) => ({ role: asText(asRecord(message)['role']), content: asRecord(message)['content'] }))
  return { messages: toTurnMessages(said), toolCallId }
}

const toHermesTool = (tool: ToolDefinition): HermesTool => ({
  description: tool.description,
  inputSchema: schemaOf(tool),
  execute: (input, options) => runTool(tool, () => tool.execute(input, toToolContext(options))),
})

/**
 * `target`: the same as for the model wrapper: one session, the Hermes of one owner, or the homes of many. For the last two, one object
 * serves all calls: each tool call belongs to the session of the model call that requested it, and is refused if that session is unknown.
 * The order of the tools is fixed, so that the provider's cache of the tool list stays valid.
 */
export const hermesTools = <const Prefix extends string = '', const Name extends HermesToolName = HermesToolName>(
  target: HermesTarget,
  options: HermesToolsOptions<Prefix, Name> = {},
): HermesTools<Prefix, Name> => {
  const tools = Object.fromEntries(toolsToOffer('hermesTools', target, options).map((tool) => [tool.name, toHermesTool(tool)]))
  // The names are only known at run time; HermesToolName lists them for the type.
  return tools as HermesTools<Prefix, Name>
}
