/** `@hermes/langchain`: Hermes for legacy chains and LCEL. For `createAgent`, use `@hermes/langchain/agent`. */

// warnings on misconfiguration
export type { HermesWarning, HermesWarningCode, HermesWarningListener } from '@hermes/core/adapter'
// a model in an LCEL pipe
export type { ChatMethodsOf } from './chat-methods.ts'
// owner and session of a call
export type { HermesCall } from './hermes-call.ts'
// a memory for an existing chain
export { HermesMemory } from './hermes-memory.ts'
export type { HermesMemoryOptions } from './hermes-memory-options.ts'
export type { HermesTarget, IdentifiedCall, IdentifiedHomes } from './hermes-target.ts'
// the agent's own tools
export { type HermesToolsOptions, hermesTools } from './hermes-tools.ts'
// the model for reviews
export { type HostModelOptions, hostModel, type ReviewModel } from './host-model.ts'
export { REVIEW_TAG } from './quiet-config.ts'
export { type WithHermesOptions, withHermes } from './with-hermes.ts'
