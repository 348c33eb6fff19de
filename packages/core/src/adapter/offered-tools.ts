/** The agent's tools as a framework offers them, ours and the host's. */

import type { ToolOffer } from '../session/session.ts'
import type { OfferedTool } from '../session/tool-trust.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import { checkTarget, type HermesTarget } from './find-session.ts'
import { asList, asRecord, asText } from './loose-values.ts'

/** Throws a TypeError for what is no target, and for a tool in `only` that there is not. `caller`: the function that was called. */
export const toolsToOffer = (
  caller: string,
  target: HermesTarget,
  { prefix = '', only, projects, form }: ToolOffer,
): readonly ToolDefinition[] => {
  checkTarget(caller, target)
  const offered = target.offerTools({ prefix, only, projects, form })
  const missing = only?.find((name) => !offered.some((tool) => tool.name === `${prefix}${name}`))
  if (missing !== undefined) throw new TypeError(`${caller}: '${missing}' is not a tool of Hermes, or is switched off in its options.`)
  return offered
}

/** Name and description of each tool of a request that the host runs, by which core recognises its own. `tools`: unchecked. */
export const functionsIn = (tools: unknown): readonly OfferedTool[] =>
  asList(tools)
    .map(asRecord)
    .filter(({ type }) => type === 'function')
    .map(({ name, description }) => ({ name: asText(name), description: asText(description) }))
