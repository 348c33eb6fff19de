/** `@hermes/ai-sdk`: adds memory to a language model of the Vercel AI SDK (ai 5, 6 or 7). */

// owner and session of a call; warnings on misconfiguration
export type { HermesTarget, HermesWarning, HermesWarningCode, HermesWarningListener } from '@hermes/core/adapter'
export type { HermesCallOptions } from './hermes-call-options.ts'
// the agent's own tools
export { type HermesMemoryTool, hermesMemoryTool } from './hermes-memory-tool.ts'
// the middleware, and a wrapper that applies it to a model
export { type HermesMiddleware, type HermesMiddlewareOptions, hermesMiddleware } from './hermes-middleware.ts'
export {
  type HermesTool,
  type HermesToolCall,
  type HermesToolName,
  type HermesTools,
  type HermesToolsOptions,
  type HermesToolTypes,
  hermesTools,
} from './hermes-tools.ts'
// the model for reviews
export { type HostModelOptions, hostModel } from './host-model.ts'
// what was learned, on a result
export { learnedOf } from './learned.ts'
export type { ReviewUsage } from './token-usage.ts'
export { withHermes } from './with-hermes.ts'
