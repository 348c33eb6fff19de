/** `@hermes/langchain`: Hermes for legacy chains and LCEL. `createAgent` has an entry of its own, `@hermes/langchain/agent`. */

// what a host wired up wrongly
export type { HermesWarning, HermesWarningCode, HermesWarningListener } from '@hermes/core/adapter'
// whose call it is
export type { HermesCall } from './hermes-call.ts'
// a memory for an existing chain
export { HermesMemory } from './hermes-memory.ts'
export type { HermesMemoryOptions } from './hermes-memory-options.ts'
export type { HermesTarget, IdentifiedCall, IdentifiedHomes } from './hermes-target.ts'
// the agent's own tools
export { type HermesToolsOptions, hermesTools } from './hermes-tools.ts'
// the reviewer's model
export { type HostModelOptions, hostModel, type ReviewModel } from './host-model.ts'
export { REVIEW_TAG } from './quiet-config.ts'
// a model in an LCEL pipe
export { type WithHermesOptions, withHermes } from './with-hermes.ts'
