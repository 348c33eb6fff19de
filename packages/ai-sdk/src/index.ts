/** `@hermes/ai-sdk`: wrap a language model of the Vercel AI SDK (ai 5, 6 or 7) and the agent remembers. */

// whose a call is, and which session it belongs to; what a host wired up wrongly
export type { HermesTarget, HermesWarning, HermesWarningCode, HermesWarningListener } from '@hermes/core/adapter'
export type { HermesCallOptions } from './hermes-call-options.ts'
// the middleware, and the same as one call around a model
export { type HermesMiddleware, type HermesMiddlewareOptions, hermesMiddleware } from './hermes-middleware.ts'
// the agent's own tools
export {
  type HermesTool,
  type HermesToolCall,
  type HermesToolName,
  type HermesTools,
  type HermesToolsOptions,
  type HermesToolTypes,
  hermesTools,
} from './hermes-tools.ts'
// the reviewer's model
export { type HostModelOptions, hostModel } from './host-model.ts'
export type { ReviewUsage } from './token-usage.ts'
export { withHermes } from './with-hermes.ts'
