/** The tools that a call offers its model. */
import type { OfferedTool } from '@hermes/core/adapter'
import { asList, asRecord, asText } from '@hermes/core/adapter'

/** Of those that the host runs: name and description, by which core knows its own. */
export const offeredTools = (tools: unknown): readonly OfferedTool[] =>
  asList(tools)
    .map(asRecord)
    .filter((tool) => tool['type'] === 'function')
    .map((tool) => ({ name: asText(tool['name']), description: asText(tool['description']) }))
