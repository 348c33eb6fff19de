/** `@hermes/openai-agents`: adds memory to a model of the OpenAI Agents SDK (`@openai/agents`). */

// what a model belongs to; warnings on misconfiguration
export type { HermesTarget, HermesWarning, HermesWarningCode, HermesWarningListener } from '@hermes/core/adapter'
export type { AgentModel } from './agents-protocol.ts'
// the agent's own tools
export { type HermesTool, type HermesToolName, type HermesToolsOptions, hermesTools } from './hermes-tools.ts'
// the model for reviews
export { type HostCall, hostModel } from './host-model.ts'
// whose run it is
export { type HermesRun, runWithHermes } from './run-with-hermes.ts'
// the wrapper of a model
export { type WithHermesOptions, withHermes } from './with-hermes.ts'
