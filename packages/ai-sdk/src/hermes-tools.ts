/** The agent's memory and skill tools as plain objects that ai 5, 6 and 7 take in `tools`. */
import type {
  MemoryToolInput,
  MemoryToolResult,
  SkillListToolInput,
  SkillListToolResult,
  SkillManageInput,
  SkillManageToolResult,
  SkillViewToolInput,
  SkillViewToolResult,
  ToolDefinition,
} from '@hermes/core/adapter'
import { asList, asRecord, asText, checkTarget, type HermesTarget, runTool } from '@hermes/core/adapter'
import { toTurnMessages } from './to-turn-messages.ts'

/** What is read of the options that the SDK hands to a tool. */
export interface HermesToolCall {
  readonly messages: readonly unknown[]
  readonly toolCallId?: string
}

export interface HermesTool<Input = unknown, Output = unknown> {
  readonly description: string
  readonly inputSchema: ToolDefinition<Input>['inputSchema']
  /** Contract: never rejects; a refusal is part of the result, for the model to read. */
  readonly execute: (input: Input, options: HermesToolCall) => Promise<Output>
}

/** What each tool takes and answers, by its name before the prefix. */
export interface HermesToolTypes {
  readonly memory: HermesTool<MemoryToolInput, MemoryToolResult>
  readonly skills_list: HermesTool<SkillListToolInput, SkillListToolResult>
  readonly skill_view: HermesTool<SkillViewToolInput, SkillViewToolResult>
  readonly skill_manage: HermesTool<SkillManageInput, SkillManageToolResult>
}

/** Names of the tools before the prefix. */
export type HermesToolName = keyof HermesToolTypes

/**
 * A tool that the host switched off in `createHermes` is absent all the same: the SDK's tool sets know no optional keys, and leaving the name out would deny
 * the calls of hosts that have it. `only` gives a type without it.
 */
export type HermesTools<Prefix extends string = '', Name extends HermesToolName = HermesToolName> = {
  readonly [Each in Name as `${Prefix}${Each}`]: HermesToolTypes[Each]
}

export interface HermesToolsOptions<Prefix extends string = '', Name extends HermesToolName = HermesToolName> {
  /** In front of each name, for hosts where another tool is called `memory`. Default: `''`. */
  readonly prefix?: Prefix
  /** The tools to offer. One that is switched off is refused with a TypeError. Default: all that there are. */
  readonly only?: readonly Name[]
}

const toHermesTool = (tool: ToolDefinition): HermesTool => ({
  description: tool.description,
  inputSchema: tool.inputSchema,
  execute: (input, options) =>
    runTool(tool, () => {
      // The framework's own messages say whose words the turn holds; the gate needs that.
      const messages = asList(options.messages).map((message) => ({
        role: asText(asRecord(message)['role']),
        content: asRecord(message)['content'],
      }))
      return tool.execute(input, { messages: toTurnMessages(messages), toolCallId: options.toolCallId })
    }),
})

/**
 * Of the target that the model is wrapped with: one session, the Hermes of one person, or the homes of many people. With the last two, one object serves everybody: a
 * call finds its session by the model call that it comes from, and is refused where that is not known. In a fixed order, so that the provider's cache of the tool
 * list stays warm.
 */
export const hermesTools = <const Prefix extends string = '', const Name extends HermesToolName = HermesToolName>(
  target: HermesTarget,
  options: HermesToolsOptions<Prefix, Name> = {},
): HermesTools<Prefix, Name> => {
  checkTarget('hermesTools', target)
  const prefix = options.prefix ?? ''
  const offered = target.offerTools({ prefix, only: options.only })
  const missing = options.only?.find((name) => !offered.some((tool) => tool.name === `${prefix}${name}`))
  if (missing !== undefined) throw new TypeError(`hermesTools: '${missing}' is no tool of Hermes, or switched off in its options.`)
  const tools = Object.fromEntries(offered.map((tool) => [tool.name, toHermesTool(tool)]))
  // The names are data here; HermesToolName lists them for the host's types.
  return tools as HermesTools<Prefix, Name>
}
