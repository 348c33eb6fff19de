/** `@hermes/core/adapter`: for adapters of frameworks, in the order of a call. How to build one: docs/add-an-adapter.md. */

// The session of a call
export {
  type FoundSession,
  findSession,
  isFailure,
  tellFailure,
  WITHOUT_MEMORY,
  type WiringAdvice,
} from '../adapter/find-session.ts'
export { checkTarget, type HermesTarget, isHomes, isSession, sharedTarget } from '../adapter/hermes-target.ts'
// Mistakes in the wiring
export {
  type HermesWarning,
  type HermesWarningCode,
  type HermesWarningListener,
  warningListener,
  warnUnexpected,
} from '../adapter/hermes-warning.ts'
export { asList, asRecord, asText, toJson } from '../adapter/loose-values.ts'
// A model call
export { beginModelCall, beginUnownedCall, type ModelCall, type ModelCallEnd, type ModelCallStart } from '../adapter/model-call.ts'
export { asCount, toModelUsage } from '../adapter/model-usage.ts'
export { cutText, MAX_OUTSIDE_CHARS } from '../adapter/outside-text.ts'
export { joinBlock } from '../adapter/place-block.ts'
// The agent's tools
export { refusal, runTool } from '../adapter/run-tool.ts'
// Messages of a framework, and recalled text in them
export { withSystemContext } from '../proposal/system-context.ts'
export { fenceContext, sanitizeContext } from '../provider/context-fence.ts'
export { type ContextScrubber, createContextScrubber } from '../provider/context-scrubber.ts'
export type { WiringFailure, WiringMistake } from '../session/hermes-event.ts'
export type { ModelToolCall } from '../session/nested-run.ts'
export type { OfferedTool, SharedTools } from '../session/shared-tools.ts'
// Calls code of the host whose failure must not matter
export { callSafely } from '../shared/call-safely.ts'
export type { MemoryToolInput } from '../tools/memory-tool.ts'
export type { SkillListToolInput } from '../tools/skill-list-tool.ts'
export type { SkillManageInput } from '../tools/skill-manage-tool.ts'
export type { SkillViewToolInput } from '../tools/skill-view-tool.ts'
export type { ToolDefinition } from '../tools/tool-definition.ts'
export type { MemoryToolResult, SkillListToolResult, SkillManageToolResult, SkillViewToolResult } from '../tools/tool-results.ts'
