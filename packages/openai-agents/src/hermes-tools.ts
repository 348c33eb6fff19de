/** The agent's memory and skill tools as plain objects for the `tools` of an agent of the SDK. */
import { asRecord, asText, type HermesTarget, refusal, runTool, toolsToOffer } from '@hermes/core/adapter'
import { currentRun, sessionOfRun } from './run-with-hermes.ts'

/** Names of the tools without the prefix. */
export type HermesToolName = 'memory' | 'skills_list' | 'skill_view' | 'skill_manage'

export interface HermesToolsOptions {
  /** Prefix of each tool name, for hosts that already have a tool called `memory`. Default: `''`. */
  readonly prefix?: string
  /** The tools to offer; a disabled tool throws a TypeError. Default: all enabled tools. */
  readonly only?: readonly HermesToolName[]
  /** Runs name projects, so the memory tool has the target `project`. Default: only where `createHermes`, or the one session, has a project. */
  readonly projects?: boolean
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
    return JSON.parse(input || '{}')
  } catch {
    return input
  }
}

const NOBODYS = refusal('It is not known whose memory this is, so nothing was read or written. Do not call it again; go on with the task.')

/**
 * `target`: the same as for `withHermes`: one session, the Hermes of one owner, or the homes of many. For the last two, one list serves all runs: each tool call
 * belongs to the session that its run names (`runWithHermes`), and is refused if there is none.
 */
export const hermesTools = (target: HermesTarget, { prefix = '', only, projects }: HermesToolsOptions = {}): HermesTool[] => {
  const call = async (name: string, input: string, details: unknown) => {
    // The model's call has told the host already what is wrong with the run.
    const tools = sessionOfRun(target, currentRun(), () => undefined)?.session.offerTools({ prefix, only })
    const toolCallId = asText(asRecord(asRecord(details)['toolCall'])['callId']) || undefined
    return tools?.find((tool) => tool.name === name)?.execute(parse(input), { toolCallId }) ?? NOBODYS
  }
  return toolsToOffer('hermesTools', target, { prefix, only, projects }).map(({ name, description, jsonSchema }) => ({
    type: 'function',
    name,
    description,
    parameters: jsonSchema as HermesTool['parameters'],
    strict: false,
    invoke: async (_context, input, details) => JSON.stringify(await runTool({ name }, () => call(name, input, details))),
    needsApproval: async () => false,
    isEnabled: async () => true,
  }))
}
