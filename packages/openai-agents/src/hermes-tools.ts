/** The agent's memory and skill tools as plain objects for the `tools` of an agent of the SDK. */
import { asRecord, asText, checkTarget, type HermesTarget, runTool } from '@hermes/core/adapter'

/** Names of the tools without the prefix. */
export type HermesToolName = 'memory' | 'skills_list' | 'skill_view' | 'skill_manage'

export interface HermesToolsOptions {
  /** Prefix of each tool name, for hosts that already have a tool called `memory`. Default: `''`. */
  readonly prefix?: string
  /** The tools to offer; a disabled tool throws a TypeError. Default: all enabled tools. */
  readonly only?: readonly HermesToolName[]
}

/** Assignable to `Tool` of every supported release without a cast. */
export interface HermesTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own type of a schema
  readonly parameters: { type: 'object'; properties: Record<string, any>; required: string[]; additionalProperties: true }
  readonly strict: false
  /** `input`: JSON, as the model wrote it. Contract: never rejects; a refusal is a result for the model to read. */
  readonly invoke: (runContext: unknown, input: string, details?: unknown) => Promise<string>
  readonly needsApproval: () => Promise<boolean>
  readonly isEnabled: () => Promise<boolean>
}

const parse = (input: string): unknown => {
  try {
    return JSON.parse(input === '' ? '{}' : input)
  } catch {
    return input
  }
}

/**
 * `target`: the same as for `withHermes`: one session, the Hermes of one owner, or the homes of many. For the last two, one list serves all runs: each tool call
 * belongs to the session of the model call that requested it, and is refused if that session is unknown.
 */
export const hermesTools = (target: HermesTarget, { prefix = '', only }: HermesToolsOptions = {}): HermesTool[] => {
  checkTarget('hermesTools', target)
  const offered = target.offerTools({ prefix, only })
  const missing = only?.find((name) => !offered.some((tool) => tool.name === `${prefix}${name}`))
  if (missing !== undefined) throw new TypeError(`hermesTools: '${missing}' is not a tool of Hermes, or is switched off in its options.`)
  return offered.map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    parameters: tool.jsonSchema as HermesTool['parameters'],
    strict: false,
    invoke: async (_context, input, details) => {
      const toolCallId = asText(asRecord(asRecord(details)['toolCall'])['callId'])
      const result = await runTool(tool, () => tool.execute(parse(input), toolCallId === '' ? {} : { toolCallId }))
      return JSON.stringify(result)
    },
    needsApproval: async () => false,
    isEnabled: async () => true,
  }))
}
