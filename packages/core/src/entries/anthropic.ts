/** `@hermes/core/anthropic`: Claude's memory tool for the Anthropic SDK. For the AI SDK use `hermesMemoryTool` of `@hermes/ai-sdk`. */
export { type HermesMemoryHandlers, type HermesMemoryToolOptions, hermesMemoryTool } from '../adapter/memory-handlers.ts'
