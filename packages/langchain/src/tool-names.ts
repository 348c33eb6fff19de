/** Names of the tools that a model call offers, in LangChain's or a provider's format. */
import { asList, asRecord, asText } from '@hermes/core/adapter'

const namesOf = (tool: unknown): readonly string[] => {
  const { name, function: ofOpenAi, functionDeclarations: ofGoogle } = asRecord(tool)
  return [name, asRecord(ofOpenAi)['name'], ...asList(ofGoogle).map((declared) => asRecord(declared)['name'])]
    .map(asText)
    .filter((each) => each !== '')
}

export const toolNames = (tools: unknown): readonly string[] => asList(tools).flatMap(namesOf)

/** Maximum depth of wrappers. */
const MAX_LAYERS = 16

/** `options`: those of the call. Tools that are bound inside a retry or a fallback are found in the model. */
export const boundToolNames = (model: unknown, options: unknown): readonly string[] => {
  const found = [asRecord(options)['tools']]
  for (let layer = model, depth = 0; layer !== undefined && depth < MAX_LAYERS; depth++) {
    const { kwargs, config, bound, runnable, first } = asRecord(layer)
    found.push(asRecord(kwargs)['tools'], asRecord(config)['tools'])
    layer = bound ?? runnable ?? first
  }
  return found.flatMap(toolNames)
}
