/** The tools that a model call offers, in LangChain's or a provider's format. */
import { asList, asRecord, asText, type OfferedTool } from '@hermes/core/adapter'

const describe = (tool: unknown): readonly OfferedTool[] => {
  const { function: ofOpenAi, functionDeclarations: ofGoogle } = asRecord(tool)
  return [tool, ofOpenAi, ...asList(ofGoogle)]
    .map(asRecord)
    .map(({ name, description }) => ({ name: asText(name), description: asText(description) }))
    .filter(({ name }) => name !== '')
}

export const describeTools = (tools: unknown): readonly OfferedTool[] => asList(tools).flatMap(describe)

/** Maximum depth of wrappers. */
const MAX_LAYERS = 16

/** `options`: those of the call. Tools that are bound inside a retry or a fallback are found in the model. */
export const boundTools = (model: unknown, options: unknown): readonly OfferedTool[] => {
  const found = [asRecord(options)['tools']]
  for (let layer = model, depth = 0; layer !== undefined && depth < MAX_LAYERS; depth++) {
    const { kwargs, config, bound, runnable, first } = asRecord(layer)
    found.push(asRecord(kwargs)['tools'], asRecord(config)['tools'])
    layer = bound ?? runnable ?? first
  }
  return found.flatMap(describeTools)
}
