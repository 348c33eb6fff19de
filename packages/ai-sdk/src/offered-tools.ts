/** The tools that a call offers to its model. */
import type { OfferedTool } from '@hermes/core/adapter'
import { asList, asRecord, asText } from '@hermes/core/adapter'

/** Name and description of each tool that the host runs, by which core recognises its own. */
export const offeredTools = (tools: unknown): readonly OfferedTool[] =>
  asList(tools)
    .map(asRecord)
    .filter((tool) => tool['type'] === 'function')
    .map((tool) => ({ name: asText(tool['name']), description: asText(tool['description']) }))
